"""`krender serve`: the units of the published commit for Argo CD's plugin generator and flux-operator."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderer import __version__
from renderer.cli.serving import Follower, logged, say
from renderer.edge.followed import Followed
from renderer.edge.git import DEFAULT_BRANCH
from renderer.edge.secret import SecretFile, variable
from renderer.model.guards import Budget
from renderer.view.serve.access import tokens_in
from renderer.view.serve.ledger import DEFAULT_BUDGET, Ledger
from renderer.view.serve.site import Site

if TYPE_CHECKING:
    from renderer.edge.http.server import Exchange

TOKEN_VARIABLE = "KRENDER_TOKEN"  # noqa: S105 - its name


@click.command(name="serve")
@click.option(
    "--repo", metavar="PATH|URL", default=".", help="The repository. Default: the one this directory is in."
)
@click.option(
    "--branch", metavar="NAME", default=DEFAULT_BRANCH, help="The published branch. Default: rendered."
)
@click.option("--path", metavar="DIR", default="", help="Where on the branch it lies: output.path.")
@click.option("--remote", metavar="NAME", help="Follow the branch of a remote of the repository.")
@click.option(
    "--interval",
    metavar="SECONDS",
    type=click.FloatRange(0.1),
    default=30,
    help="Seconds between looks. Default: 30.",
)
@click.option(
    "--max-age",
    metavar="SECONDS",
    type=click.FloatRange(1),
    default=600,
    help="Seconds to serve what is known while the branch cannot be read. Default: 600.",
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    default="127.0.0.1:8080",
    help="Default: 127.0.0.1:8080; [::]:8080 for all.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    envvar="KRENDER_TOKEN_FILE",
    help=f"One token a line; read again when it changes. Else the variable {TOKEN_VARIABLE}.",
)
@click.option(
    "--tls-cert",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Serve TLS with this chain of certificates.",
)
@click.option(
    "--tls-key", metavar="FILE", type=click.Path(path_type=Path), help="The key of the certificate."
)
@click.option(
    "--gone-free",
    metavar="NUMBER",
    type=click.IntRange(0),
    default=DEFAULT_BUDGET.free,
    help="So many units may always be gone from a list. Default: 1.",
)
@click.option(
    "--gone-percent",
    metavar="PERCENT",
    type=click.IntRange(0, 100),
    default=DEFAULT_BUDGET.percent,
    help="Of more, at most this share of the list. Default: 20.",
)
@click.option(
    "--gone-most",
    metavar="NUMBER",
    type=click.IntRange(0),
    default=DEFAULT_BUDGET.most,
    help="And at most so many. Default: 100.",
)
@click.option("--allow", metavar="COMMIT", multiple=True, help="Give any list of this commit, however short.")
@click.option(
    "--state",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Remember in this file what was given, across starts.",
)
@click.option(
    "--connections",
    metavar="NUMBER",
    type=click.IntRange(1),
    default=128,
    help="At once; more wait. Default: 128.",
)
def command(
    repo: str,
    branch: str,
    path: str,
    remote: str | None,
    interval: float,
    max_age: float,
    listen: str,
    token_file: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    gone_free: int,
    gone_percent: int,
    gone_most: int,
    allow: tuple[str, ...],
    state: Path | None,
    connections: int,
) -> int:
    """Serve the units of what is published to those who make Applications or Kustomizations of them.

    Argo CD's plugin generator asks with POST /api/v1/getparams.execute, flux-operator's ExternalService with
    GET /api/v1/inputs. Both need a token. Every answer is that of one whole commit, or an error: never a list
    that is empty or shorter because something went wrong. See docs/serve.md.
    """
    from renderer.edge.http.run import Certificates, Listening, serve
    from renderer.edge.http.server import Limits

    _see_commits(allow)
    if interval > max_age:
        raise click.UsageError("--interval is longer than --max-age: every snapshot would be stale")
    host, port = _address(listen)
    tokens = _tokens(token_file)
    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("TLS needs both --tls-cert and --tls-key")
    tls = Certificates(tls_cert, tls_key) if tls_cert and tls_key else None
    budget = Budget(free=gone_free, percent=gone_percent, most=gone_most)
    follower = Follower(
        followed=Followed(repo, branch, remote),
        branch=branch,
        path=path.strip("/"),
        ledger=Ledger(budget=budget, allowed=allow),
        most_age=max_age,
        state=state,
    )
    follower.remember()
    site = Site(follower.standing, tokens, follower.ledger, __version__)

    def log(exchange: Exchange) -> None:
        logged(exchange)
        site.count(exchange.path, exchange.status)

    with Listening(host, port) as listening:
        say(f"listening at {'https' if tls else 'http'}://{listening.shown}")
        stop = threading.Event()
        renew = [tls.renew] if tls else []
        threading.Thread(target=follower.again, args=(interval, stop, *renew), daemon=True).start()
        serve(site, listening, log, Limits(connections=connections), tls)
    stop.set()
    follower.end()
    return 0


def _see_commits(allow: Sequence[str]) -> None:
    for commit in allow:
        if not (len(commit) >= 7 and all(character in "0123456789abcdef" for character in commit)):
            raise click.BadParameter(f"{commit!r} is no commit id (7 digits or more)", param_hint="--allow")


def _address(listen: str) -> tuple[str, int]:
    host, colon, port = listen.rpartition(":")
    if not (colon and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise click.BadParameter(f"{listen!r} is not HOST:PORT", param_hint="--listen")
    return host.removeprefix("[").removesuffix("]") or "0.0.0.0", int(port)  # noqa: S104 - asked for


def _tokens(file: Path | None) -> Callable[[], Sequence[bytes]]:
    """Where the tokens are. Raises UsageError where nobody says, OutsideError where they cannot be used."""
    given = variable(TOKEN_VARIABLE, tokens_in)
    if file is not None:
        return SecretFile(file, tokens_in).tokens
    if given is None:
        raise click.UsageError(f"say what token callers must have: --token-file FILE, or {TOKEN_VARIABLE}")
    return lambda: given
