"""Rules for the branch that is published to, and who signs what lies on it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from renderer.edge.command import Git
from renderer.edge.errors import OutsideError, StoppedError
from renderer.edge.importer import Draft
from renderer.edge.progress import clear

_BOT = "krender"  # signs for those who have configured nobody
_NO_PERSON = str.maketrans("", "", "<>\n\0")  # what Git itself takes out of names


def check_branch(git: Git, branch: str) -> str:
    """The full name of a branch that may be published to. Raises StoppedError."""
    ref = f"refs/heads/{branch}"
    if branch.startswith("refs/heads/"):
        fix = f"write --branch {branch.removeprefix('refs/heads/')}"
        raise StoppedError(f"{branch!r} is the full name of a branch", "its short name is wanted", fix)
    # HEAD and @ are legal names that Git itself makes no branch of, since both mean something else to it.
    if branch.startswith("-") or branch in ("HEAD", "@") or git.attempt("check-ref-format", ref)[0]:
        raise StoppedError(f"{branch!r} cannot be the name of a branch", "", "name another one with --branch")
    leads_to = git.attempt("symbolic-ref", "--quiet", ref)[1]
    if leads_to:
        raise StoppedError(
            f"the branch {branch} is only another name of {leads_to}",
            "krender would move that branch",
            "name another one with --branch",
        )
    return ref


def check_free(git: Git, ref: str) -> None:
    """See that nobody works on the branch. Raises StoppedError."""
    worktree = ""
    for line in git.ask("worktree", "list", "--porcelain").split("\n"):
        key, _, value = line.partition(" ")
        worktree = value if key == "worktree" else worktree
        if key == "branch" and value == ref:
            raise StoppedError(
                f"the branch {ref.removeprefix('refs/heads/')} is checked out in {worktree}",
                "moving it would make that worktree look as if everything in it had been edited",
                "check out another branch there, or publish to another one with --branch",
            )


def remote_commit(git: Git, branch: str) -> str | None:
    """Where a remote has a branch of that name, as last fetched. Raises OutsideError where two disagree."""
    refs = [f"refs/remotes/{remote}/{branch}" for remote in git.ask("remote").split("\n") if remote]
    if not refs:
        return None
    found = git.ask("for-each-ref", "--format=%(objectname)", *refs).split("\n")
    if len(set(found)) > 1:
        raise OutsideError(
            f"several remotes have a branch {branch}, and they are not the same",
            "krender cannot tell which one to go on with",
            f"choose one: `git branch {branch} <remote>/{branch}`",
        )
    return found[0] or None


def people(git: Git, author: str = "", *, signing: bool = False) -> tuple[str, str]:
    """Author and committer as `Name <mail>`, found as Git finds them; krender itself where nobody is set.

    Where the author is known, the committer is krender, unless somebody is set as the committer and nothing
    else: who runs it must make no other commit of the same files. A signature needs the user all the same.
    """
    listed = git.attempt("config", "-z", "--get-regexp", r"^(user|author|committer)\.(name|email)$")[1]
    settings = dict(line.partition("\n")[::2] for line in listed.split("\0"))  # the last one holds
    if author and not signing:
        settings = {key: value for key, value in settings.items() if not key.startswith("user.")}
    return author or _person("author", settings), _person("committer", settings)


def _person(role: str, settings: Mapping[str, str]) -> str:
    """One of the two."""
    parts = []
    for part, nobody in (("name", _BOT), ("email", f"{_BOT}@localhost")):
        given = os.environ.get(f"GIT_{role.upper()}_{part.upper()}")
        found = given or settings.get(f"{role}.{part}") or settings.get(f"user.{part}", "")
        parts.append(found.translate(_NO_PERSON).strip() or nobody)
    return f"{parts[0]} <{parts[1]}>"


def is_signing(git: Git) -> bool:
    """Whether the user signs commits."""
    return git.attempt("config", "--type=bool", "--get", "commit.gpgSign")[1] == "true"


def signed(git: Git, made: str, draft: Draft) -> str:
    """The same commit once more, signed as the user's configuration says. Raises OutsideError."""
    variables: dict[str, str] = {}
    for role, who in (("AUTHOR", draft.author), ("COMMITTER", draft.committer)):
        name, _, mail = who.removesuffix(">").rpartition(" <")
        variables |= {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": mail}
        variables[f"GIT_{role}_DATE"] = f"@{draft.date} +0000"
    parent = ("-p", draft.parent) if draft.parent else ()
    message = draft.message.encode("utf-8", "replace").replace(b"\0", b"")
    arguments = ("commit-tree", "-S", *parent, "-F", "-", f"{made}^{{tree}}")
    clear()  # it may ask for a passphrase
    code, name, said = git.attempt(*arguments, given=message, extra=variables)
    if code:
        raise OutsideError(
            "the commit could not be signed",
            f"commit.gpgSign is set, and Git said: {' '.join(said.split())[:300]}",
            "check user.signingKey and gpg.format, or unset commit.gpgSign",
        )
    return name
