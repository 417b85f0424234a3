"""One comment on a pull request, kept up to date: found again by a mark that readers do not see."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.edge.errors import OutsideError

_PAGE = 100
_PAGES = 100
_TRIES = 3
_SECONDS = 30


class ForbiddenError(Exception):
    """The token may not do that: that of a fork, for example, may only read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comments:
    """The comments of one issue or pull request, as one author may write them."""

    api: str
    token: str
    repository: str
    number: int
    author: str
    pause: float = 1.0  # seconds before a second try, and twice that before a third

    def keep(self, mark: str, body: str, *, new: bool) -> bool:
        """Have the author's comment that begins with `mark` say `body`; without `new` none is begun.

        Returns whether there is such a comment now. Raises ForbiddenError where the token may not write,
        OutsideError where GitHub cannot be reached or does not take it.
        """
        found = self._find(mark)
        if found is None and not new:
            return False
        if found is None:
            self._ask("POST", f"issues/{self.number}/comments", {"body": body})
        elif text(found.get("body")) != body:
            self._ask("PATCH", f"issues/comments/{found.get('id')}", {"body": body})
        return True

    def _find(self, mark: str) -> Object | None:
        """The comment, on whatever page it is."""
        for page in range(1, _PAGES + 1):
            query = f"issues/{self.number}/comments?per_page={_PAGE}&page={page}"
            items = [mapping(item) for item in sequence(self._ask("GET", query))]
            for item in items:
                is_own = text(dig(item, "user", "login")) == self.author
                if is_own and text(item.get("body")).split("\n", 1)[0].rstrip("\r") == mark:
                    return item
            if len(items) < _PAGE:
                break
        return None

    def _ask(self, method: str, path: str, body: Object | None = None) -> Value:
        """One answer of the API; what may pass by itself is tried again."""
        for tried in range(1, _TRIES + 1):
            try:
                return self._once(method, path, body)
            except urllib.error.HTTPError as error:
                if error.code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND):
                    raise ForbiddenError(f"{error.code} {error.reason}") from error
                said = f"{error.code} {error.reason}"
                passing = error.code >= HTTPStatus.INTERNAL_SERVER_ERROR
            except (OSError, ValueError) as error:
                said, passing = str(error), True
            if not passing or tried == _TRIES:
                break
            time.sleep(self.pause * tried)
        raise OutsideError(f"GitHub did not take {method} {path}", f"it said: {said}")

    def _once(self, method: str, path: str, body: Object | None) -> Value:
        request = urllib.request.Request(  # noqa: S310 - the address is the runner's own
            f"{self.api}/repos/{self.repository}/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self.token}",
                "User-Agent": "krender",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 - the same
            value: Value = json.load(answer)
            return value
