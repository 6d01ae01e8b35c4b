"""Compiled counting of n-grams for BLEU and chrF. Importing this module compiles it, or loads it from disk.

The n-grams of a reference form a tree: an n-gram is the node of its first n - 1 tokens and one more token.
A node is a slot of a hash table with open addressing whose key is exactly that pair, so that n-grams are
compared and never merely their hashes. An n-gram of a hypothesis that is missing ends the walk: longer ones
with the same beginning are missing as well. The work is linear in the length of the text.

A cached kernel is compiled anew when its own file changes, so everything a kernel calls stands in this one.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

BLEU_ORDER = 4
CHRF_BETA_SQUARED = 4.0
# A prime near 2**64 / golden ratio: multiplication spreads keys that differ in few bits.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)

Array = np.ndarray
# An integer as wide as compiled code makes it; uint64 must not meet signed ones there.
Number = Any
_I32, _I64, _F64 = numba.int32[::1], numba.int64[::1], numba.float64[:, ::1]


@numba.njit
def _find(keys: Array, mask: Number, key: Number) -> Number:
    """Return the slot that holds the key, else the free slot where it belongs."""
    slot = (key * _SPREAD) >> np.uint64(32)
    while True:
        slot = slot & mask
        occupant = keys[slot]
        if occupant == key or occupant == np.uint64(0):
            return np.int64(slot)
        slot = slot + np.uint64(1)


@numba.njit
def _key(node: Number, token: Number) -> Number:
    """Return the key of a node's child; nodes count from 1 and tokens are shifted by 1, so no key is 0."""
    return (np.uint64(node) << np.uint64(32)) | (np.uint64(token) + np.uint64(1))


@numba.njit
def _capacity(tokens: Array, order: Number) -> Number:
    """Return a power of two that leaves half of the slots free for every n-gram of so many tokens."""
    size = 64
    while size < 2 * order * tokens:
        size *= 2
    return size


@numba.njit
def _add_reference(
    keys: Array, mask: Number, counts: Array, tokens: Array, first: Number, last: Number, order: Number
) -> None:
    """Count the n-grams of a text, up to an order."""
    for start in range(first, last):
        node = 0
        for at in range(start, min(start + order, last)):
            key = _key(node, tokens[at])
            slot = _find(keys, mask, key)
            keys[slot] = key
            counts[slot] += 1
            node = slot + 1


@numba.njit
def _raise_to(
    keys: Array, mask: Number, counts: Array, most: Array, tokens: Array, first: Number, last: Number, order: Number
) -> None:
    """Raise the highest count of each n-gram to that of this reference, and set its count back to 0."""
    for start in range(first, last):
        node = 0
        for at in range(start, min(start + order, last)):
            slot = _find(keys, mask, _key(node, tokens[at]))
            most[slot] = max(most[slot], counts[slot])
            counts[slot] = 0
            node = slot + 1


@numba.njit
def _match(
    keys: Array, mask: Number, counts: Array, used: Array, seen: Array, mark: Number, tokens:     Array,
    first: Number, last: Number, order: Number, matches: Array,
) -> None:
    """Add to matches[k] how many n-grams of order k + 1 a hypothesis shares, each no more often than counted.

    ``seen`` tells by the mark whether ``used`` (how often the hypothesis has had the n-gram) is of this
    hypothesis, so that nothing needs clearing between hypotheses.
    """
    for start in range(first, last):
        node = 0
        for k in range(min(order, last - start)):
            key = _key(node, tokens[start + k])
            slot = _find(keys, mask, key)
            if keys[slot] == np.uint64(0):
                break
            if seen[slot] != mark:
                seen[slot] = mark
                used[slot] = 0
            used[slot] += 1
            if used[slot] <= counts[slot]:
                matches[k] += 1
            node = slot + 1


@numba.njit
def _closest_length(length: Number, starts: Array, first: Number, last: Number) -> Number:
    """Return the reference length nearest to a hypothesis length; of two as near, the shorter one."""
    closest = starts[first + 1] - starts[first]
    for ref in range(first + 1, last):
        other = starts[ref + 1] - starts[ref]
        nearer = abs(length - other) - abs(length - closest)
        if nearer < 0 or (nearer == 0 and other < closest):
            closest = other
    return closest


@numba.njit((_I32, _I64, _I32, _I64, _I64, _I64, _I64, _F64), cache=True, nogil=True)
def bleu(
    tokens: Array, starts: Array, ref_tokens: Array, ref_starts: Array, groups: Array, group_of: Array,
    order_of_rows: Array, out: Array,
) -> None:
    """Fill in [length, closest reference length, 4 clipped counts, 4 totals] of each hypothesis.

    Parameters
    ----------
    tokens : ndarray of int32
        Of all hypotheses, one after the other; hypothesis i has tokens[starts[i]:starts[i + 1]].
    ref_tokens, ref_starts
        The same of the references.
    groups : ndarray of int64
        References groups[g]:groups[g + 1] belong to one segment.
    group_of : ndarray of int64 of shape (N,)
        The group of each hypothesis.
    order_of_rows : ndarray of int64 of shape (N,)
        Hypotheses in an order that has those of one group together.
    out : ndarray of shape (N, 10)
    """
    n_groups = len(groups) - 1
    most_tokens: Number = np.int64(0)
    for g in range(n_groups):
        most_tokens = max(most_tokens, ref_starts[groups[g + 1]] - ref_starts[groups[g]])
    size = _capacity(most_tokens, BLEU_ORDER)
    keys = np.zeros(size, np.uint64)
    counts, most, used = np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size, np.int32)
    seen = np.zeros(size, np.int64)
    matches = np.zeros(BLEU_ORDER, np.int64)
    current, mask = np.int64(-1), np.uint64(0)
    for row in order_of_rows:
        group = group_of[row]
        first_ref, last_ref = groups[group], groups[group + 1]
        if group != current:
            current = group
            size = _capacity(ref_starts[last_ref] - ref_starts[first_ref], BLEU_ORDER)
            mask = np.uint64(size - 1)
            for slot in range(size):
                keys[slot] = np.uint64(0)
                counts[slot] = most[slot] = 0
                seen[slot] = 0
            for ref in range(first_ref, last_ref):
                first, last = ref_starts[ref], ref_starts[ref + 1]
                _add_reference(keys, mask, counts, ref_tokens, first, last, BLEU_ORDER)
                _raise_to(keys, mask, counts, most, ref_tokens, first, last, BLEU_ORDER)
        first, last = starts[row], starts[row + 1]
        for k in range(BLEU_ORDER):
            matches[k] = 0
        _match(keys, mask, most, used, seen, row + 1, tokens, first, last, BLEU_ORDER, matches)
        out[row, 0] = last - first
        out[row, 1] = _closest_length(last - first, ref_starts, first_ref, last_ref)
        for k in range(BLEU_ORDER):
            out[row, 2 + k] = matches[k]
            out[row, 2 + BLEU_ORDER + k] = max(np.int64(0), last - first - k)


@numba.njit((_I32, _I64, _I32, _I64, _I64, _I64, _I64, numba.int64, numba.int64, _F64), cache=True, nogil=True)
def triples(
    tokens: Array, starts: Array, ref_tokens: Array, ref_starts: Array, text_of: Array, ref_of: Array,
    order_of_pairs: Array, order: Number, column: Number, out: Array,
) -> None:
    """Fill in [hypothesis n-grams, reference n-grams, matches] of each order for pairs of texts.

    Where a reference is too short for an order, the hypothesis counts as having none either.

    Parameters
    ----------
    tokens, starts, ref_tokens, ref_starts
        As in `bleu`.
    text_of, ref_of : ndarray of int64 of shape (P,)
        The hypothesis and the reference of each pair.
    order_of_pairs : ndarray of int64 of shape (P,)
        Pairs in an order that has those of one reference together.
    order : int
        Highest order.
    column : int
        Where in a row the first triple goes.
    out : ndarray of shape (P, S)
    """
    most_tokens: Number = np.int64(0)
    for ref in range(len(ref_starts) - 1):
        most_tokens = max(most_tokens, ref_starts[ref + 1] - ref_starts[ref])
    size = _capacity(most_tokens, order)
    keys = np.zeros(size, np.uint64)
    counts, used = np.zeros(size, np.int32), np.zeros(size, np.int32)
    seen = np.zeros(size, np.int64)
    matches = np.zeros(order, np.int64)
    current, mask = np.int64(-1), np.uint64(0)
    for pair in order_of_pairs:
        ref = ref_of[pair]
        ref_length = ref_starts[ref + 1] - ref_starts[ref]
        if ref != current:
            current = ref
            size = _capacity(ref_length, order)
            mask = np.uint64(size - 1)
            for slot in range(size):
                keys[slot] = np.uint64(0)
                counts[slot] = 0
                seen[slot] = 0
            _add_reference(keys, mask, counts, ref_tokens, ref_starts[ref], ref_starts[ref + 1], order)
        first, last = starts[text_of[pair]], starts[text_of[pair] + 1]
        for k in range(order):
            matches[k] = 0
        _match(keys, mask, counts, used, seen, pair + 1, tokens, first, last, order, matches)
        for k in range(order):
            if ref_length > k:
                out[pair, column + 3 * k] = max(np.int64(0), last - first - k)
                out[pair, column + 3 * k + 1] = ref_length - k
                out[pair, column + 3 * k + 2] = matches[k]


@numba.njit
def _f_score(counts: Array, pair: Number) -> float:
    """Return the F-score of one text's [hypothesis, reference, match] counts, rounded as sacrebleu does."""
    precision, recall, orders = 0.0, 0.0, 0
    for k in range(0, counts.shape[1], 3):
        hyp, ref, match = counts[pair, k], counts[pair, k + 1], counts[pair, k + 2]
        if hyp > 0 and ref > 0:
            precision += match / hyp
            recall += match / ref
            orders += 1
    if orders > 0:
        precision /= orders
        recall /= orders
    if precision + recall == 0:
        return 0.0
    score = (1 + CHRF_BETA_SQUARED) * precision * recall
    score /= CHRF_BETA_SQUARED * precision + recall
    return 100 * score


@numba.njit((_F64, _I64, _F64), cache=True, nogil=True)
def best_pair(counts: Array, pairs: Array, out: Array) -> None:
    """Fill in for each hypothesis the counts of its pair of the highest F-score, of equal ones the first.

    Parameters
    ----------
    counts : ndarray of shape (P, S)
        As `triples` fills them in.
    pairs : ndarray of int64 of shape (N + 1,)
        Pairs pairs[i]:pairs[i + 1] belong to hypothesis i.
    out : ndarray of shape (N, S)
    """
    for row in range(len(pairs) - 1):
        best, best_score = pairs[row], -1.0
        for pair in range(pairs[row], pairs[row + 1]):
            score = _f_score(counts, pair)
            if score > best_score:
                best, best_score = pair, score
        for k in range(counts.shape[1]):
            out[row, k] = counts[best, k]
