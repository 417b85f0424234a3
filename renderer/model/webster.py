"""Webster's method: replicas divided among clusters in proportion to weights.

Seat by seat, the party with the largest votes / (2 x seats + 1) gets the next one. Quotients are compared
as IEEE doubles, because Karmada's rounded quotients can call near-equal claims a tie.
Source: Karmada pkg/util/helper/webstermethod.go and binding.go.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Final

_Claim = tuple[float, int, int]  # minus the quotient, seats held, rank by name: the smallest is served first

# Quotients further apart than this, relatively, compare alike as rationals and as doubles.
_SAFE: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One seat given: to whom, on what quotient, ahead of whom on the tie-break alone."""

    seat: int  # counted from 1
    winner: str
    weight: int
    held: int  # seats the winner had before this one
    quotient: float
    tied: tuple[str, ...] = ()


def webster(seats: int, weights: Mapping[str, int], uid: str = "") -> dict[str, int]:
    """Divide `seats` replicas among clusters in proportion to `weights`.

    Takes replicas, cluster name -> weight (unitless) and the uid of the resource template, which decides
    whether ties of equal seats go by ascending or descending name. Returns cluster name -> replicas in
    name order; the values sum to `seats`. Empty where the weights sum to zero: nobody has a claim.
    Source: Karmada pkg/util/helper/binding.go, Dispenser.
    """
    names = sorted(weights)
    votes = [weights[name] for name in names]
    if not sum(votes):
        return {}
    return dict(zip(names, apportion(seats, votes, descending=breaks_ties_descending(uid)), strict=True))


def apportion(
    seats: int, votes: Sequence[int], *, ranks: Sequence[int] | None = None, descending: bool = False
) -> list[int]:
    """The same for parties in any order: the seats of each, aligned with `votes`.

    `ranks` are the parties' places by name (their order here, if not given). The cost follows the number
    of parties, not of seats: a head start gives every party what it is sure to get, and only the rest goes
    seat by seat. (Karmada's 32-bit `2 x seats + 1` overflows beyond 2^30 seats a party; that is not
    imitated.)
    """
    held = _head_start(seats, votes)
    left = seats - sum(held)
    if left <= 0:
        return held
    quotients = [float(vote) / (2 * has + 1) for vote, has in zip(votes, held, strict=True)]
    strong: Sequence[int] = range(len(votes))
    if left < len(votes):
        # Only a party among the `left` strongest claims can win one of `left` seats.
        weakest = sorted(quotients, reverse=True)[left - 1]
        strong = [party for party, quotient in enumerate(quotients) if quotient >= weakest]
    places = range(len(votes)) if ranks is None else ranks
    sign = -1 if descending else 1
    party_at = {sign * places[party]: party for party in strong}
    claims: list[_Claim] = [(-quotients[party], held[party], rank) for rank, party in party_at.items()]
    heapq.heapify(claims)
    for _ in range(left):
        rank = claims[0][2]
        party = party_at[rank]
        held[party] += 1
        heapq.heapreplace(claims, (-float(votes[party]) / (2 * held[party] + 1), held[party], rank))
    return held


def rounds(seats: int, weights: Mapping[str, int], uid: str = "") -> Iterator[Round]:
    """The seats in the order in which they are given, for an explanation of `webster`'s result."""
    names = sorted(weights, reverse=breaks_ties_descending(uid))
    if not sum(weights.values()):
        return
    claims: list[_Claim] = [(-_quotient(weights[name], 0), 0, rank) for rank, name in enumerate(names)]
    heapq.heapify(claims)
    for seat in range(1, seats + 1):
        best, held, rank = heapq.heappop(claims)
        winner = names[rank]
        yield Round(
            seat=seat,
            winner=winner,
            weight=weights[winner],
            held=held,
            quotient=-best,
            tied=tuple(names[claim[2]] for claim in sorted(claim for claim in claims if claim[0] == best)),
        )
        heapq.heappush(claims, (-_quotient(weights[winner], held + 1), held + 1, rank))


def breaks_ties_descending(uid: str) -> bool:
    """Whether ties go by descending name: where the low bit of FNV-1a-32 of the uid is set.

    That bit needs no hash: every step keeps it but for the low bit of the byte that goes in.
    """
    if not uid:
        return False
    parity = 1
    for byte in uid.encode():
        parity ^= byte & 1
    return parity == 1


def _quotient(votes: int, seats: int) -> float:
    return float(votes) / float(2 * seats + 1)


def _head_start(seats: int, votes: Sequence[int]) -> list[int]:
    """Seats that each party gets for sure: those whose claims are above a bar that at most `seats` reach.

    A bar of W / (2 x guess) on the quotient is reached by floor(votes x guess / W + 1/2) claims of a
    party, so by no more than guess + parties / 2 altogether. The bar is put a little lower to count who
    might reach it, and a little higher to hand seats out.
    """
    parties, total = len(votes), sum(vote for vote in votes if vote > 0)
    if not total or seats <= 2 * parties:
        return [0] * parties
    guess = seats - isqrt(parties)  # mostly it does, and leaves few seats to be given one by one
    if sum(_reaching(votes, guess / total * (1 + _SAFE))) > seats:
        guess = max(0, seats - parties // 2 - 1)
    return _reaching(votes, guess / total * (1 - _SAFE))


def _reaching(votes: Sequence[int], share: float) -> list[int]:
    return [int(vote * share + 0.5) if vote > 0 else 0 for vote in votes]
