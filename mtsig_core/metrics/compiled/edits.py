"""Compiled translation edit rate, edit for edit that of sacrebleu. Importing this compiles it, or loads it.

The search for shifts is a heuristic, so equal numbers need equal decisions: the band around the diagonal of
the distance matrix, the order in which shifts are tried, the limits on their size, distance and number, and
ties. What differs cannot be seen in the result. Most distances are computed without the band, 64 columns at
a time; they are those within the band as long as they are below the cost of any way that leaves it, and
never above them, so a shift that is no improvement without the band is none within.

Snover et al. 2006, "A study of translation edit rate with targeted human annotation", section 3, describe
the search. A cached kernel is compiled anew when its own file changes, so everything it calls stands here.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

MAX_SHIFT_SIZE = 10
MAX_SHIFT_DISTANCE = 50
MAX_CANDIDATES = 1000
BEAM_WIDTH = 25
INFINITE = np.int32(1 << 30)
ONE = np.int32(1)
ZERO, LOWEST = np.uint64(0), np.uint64(1)
HIGHEST = np.uint64(1 << 63)

Array = np.ndarray
# An integer as wide as compiled code makes it; uint64 must not meet signed ones there.
Number = Any
Arrays = tuple[Array, ...]
_I32, _I64, _F64 = numba.int32[::1], numba.int64[::1], numba.float64[:, ::1]


@numba.njit
def _band(n: Number, m: Number) -> tuple[Array, Array]:
    """Return the first and the end column of each row of the matrix, (n + 1,) each; row 0 is whole."""
    low, high = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    low[0], high[0] = 0, m + 1
    ratio = m / n
    width = BEAM_WIDTH
    if ratio / 2 > BEAM_WIDTH:
        width = int(math.ceil(ratio / 2 + BEAM_WIDTH))
    for i in range(1, n + 1):
        diagonal = int(math.floor(i * ratio))
        low[i] = max(0, diagonal - width)
        high[i] = m + 1 if i == n else min(m + 1, diagonal + width)
    return low, high


@numba.njit
def _fill_row(
    previous: Array, row: Array, word: Number, ref: Array, low: Number, high: Number, next_high: Number
) -> None:
    """Fill in columns low..high of a row, and "no way" where the next row looks outside of them."""
    if low == 0:
        row[0] = previous[0] + ONE
        low = 1
    else:
        row[low - 1] = INFINITE
    left, diagonal = row[low - 1], previous[low - 1]
    for j in range(low, high):
        above = previous[j]
        cost = diagonal if word == ref[j - 1] else diagonal + ONE
        cost = min(cost, min(above, left) + ONE)
        left, diagonal = min(cost, INFINITE), above
        row[j] = left
    for j in range(high, next_high):
        row[j] = INFINITE


@numba.njit
def _load_row(forward: Array, row: Array, i: Number, low: Array, high: Array) -> None:
    """Copy a row of the forward matrix to where its columns are, with "no way" around them."""
    if i == 0:
        for j in range(high[1]):
            row[j] = j
        return
    if low[i] > 0:
        row[low[i] - 1] = INFINITE
    for j in range(low[i], high[i]):
        row[j] = forward[i, j - low[i]]
    for j in range(high[i], high[i + 1]):
        row[j] = INFINITE


@numba.njit
def _fill_forward(forward: Array, words: Array, ref: Array, low: Array, high: Array, row: Array, other: Array) -> None:
    """Fill in the forward matrix: [i, j - low[i]] is the distance of the first i words and j reference words."""
    n = len(words)
    _load_row(forward, row, 0, low, high)
    for i in range(1, n + 1):
        _fill_row(row, other, words[i - 1], ref, low[i], high[i], high[min(i + 1, n)])
        for j in range(low[i], high[i]):
            forward[i, j - low[i]] = other[j]
        row, other = other, row


@numba.njit
def _at(forward: Array, i: Number, j: Number, low: Array, high: Array) -> Number:
    """Return a cell of the forward matrix; outside the band there is no way."""
    if i == 0:
        return np.int32(j)
    return forward[i, j - low[i]] if low[i] <= j < high[i] else INFINITE


@numba.njit
def _align(forward: Array, words: Array, ref: Array, low: Array, high: Array, alignment: Arrays) -> None:
    """Follow the cheapest way back: substitutions before deletions before insertions.

    Of the alignment, [0][j] becomes the last word before or at reference word j (-1 before the first); [1] and
    [2] count errors of reference and words cumulatively: those of words a..b are [2][b] - [2][a].
    """
    i, j = len(words), len(ref)
    align, ref_errors, hyp_errors = alignment
    hyp_errors[:] = 0
    ref_errors[:] = 0
    while i > 0 or j > 0:
        insert = i == 0
        if i > 0 and j > 0:
            cost, error = forward[i, j - low[i]], np.int32(words[i - 1] != ref[j - 1])
            if cost == _at(forward, i - 1, j - 1, low, high) + error:
                i, j = i - 1, j - 1
                align[j] = i
                hyp_errors[i + 1] = ref_errors[j + 1] = error
                continue
            insert = cost != _at(forward, i - 1, j, low, high) + ONE
        if insert:
            align[j - 1] = i - 1
            ref_errors[j] = 1
            j -= 1
        else:
            hyp_errors[i] = 1
            i -= 1
    for i in range(len(words)):
        hyp_errors[i + 1] += hyp_errors[i]
    for j in range(len(ref)):
        ref_errors[j + 1] += ref_errors[j]


@numba.njit
def _match_bits(words: Array, ref: Array, bits: Array) -> None:
    """Set bit j % 64 of bits[i, j // 64] where word i equals reference word j."""
    for i in range(len(words)):
        for block in range(bits.shape[1]):
            matches = np.uint64(0)
            for j in range(64 * block, min(64 * block + 64, len(ref))):
                if words[i] == ref[j]:
                    matches |= LOWEST << np.uint64(j - 64 * block)
            bits[i, block] = matches


@numba.njit
def _next_steps(
    rises: Number, falls: Number, same: Number, step: Number, last: Number
) -> tuple[Number, Number, Number]:
    """Return the steps of 64 columns of a row from those of the row above, and the step of its last column.

    Bit j of rises (falls) says that the distance grows (shrinks) by 1 from column j to j + 1; a step is by
    how much a column differs from the row above (Myers 1999, "A fast bit-vector algorithm for approximate
    string matching based on dynamic programming"; Hyyro 2003 for distances of whole strings).

    Parameters
    ----------
    rises, falls : uint64
        Of the row above.
    same : uint64
        Which columns have the row's word.
    step : int
        Of the column before these, -1 to 1.
    last : uint64
        The bit of the last column.
    """
    vertical = same | falls
    if step < 0:
        same |= LOWEST
    horizontal = (((same & rises) + rises) ^ rises) | same
    more, less = falls | ~(horizontal | rises), rises & horizontal
    shifted_more, shifted_less = more << LOWEST, less << LOWEST
    if step < 0:
        shifted_less |= LOWEST
    elif step > 0:
        shifted_more |= LOWEST
    step = np.int64((more & last) != ZERO) - np.int64((less & last) != ZERO)
    return shifted_less | ~(vertical | shifted_more), shifted_more & vertical, step


@numba.njit
def _next_row(bits: Array, word: Number, up: Array, down: Array, above: Number, row: Number, last: Number) -> Number:
    """Compute a row of steps from one above; return the step of its last column."""
    step, blocks = np.int64(1), up.shape[1]
    for block in range(blocks):
        up[row, block], down[row, block], step = _next_steps(
            up[above, block], down[above, block], bits[word, block], step, last if block == blocks - 1 else HIGHEST
        )
    return step


@numba.njit
def _fill_steps(bits: Array, up: Array, down: Array, last_column: Array, m: Number, top: Number) -> None:
    """Fill in the rows of the whole matrix as steps between columns; last_column[i] is the distance at its end."""
    for block in range(up.shape[1]):
        up[0, block], down[0, block] = ~np.uint64(0), np.uint64(0)
    last_column[0] = m
    for i in range(len(bits)):
        step = _next_row(bits, i, up, down, i, i + 1, top)
        last_column[i + 1] = last_column[i] + step


@numba.njit
def _source(place: Number, start: Number, length: Number, target: Number, first: Number, end: Number) -> Number:
    """Return where the word at a place stood before a shift; all others than first..end stayed."""
    if not first <= place < end:
        return place
    if target < start:
        return start + place - first if place < first + length else place - length
    return place + length if place < end - length else start + place - (end - length)


@numba.njit
def _range_of(n: Number, start: Number, length: Number, target: Number) -> tuple[Number, Number]:
    """Return the range of places whose words a shift may change."""
    if target < start:
        return target, start + length
    return start, target if target > start + length else min(n, target + length)


@numba.njit
def _free_distance(
    bits: Array, up: Array, down: Array, last_column: Array, start: Number, length: Number, target: Number, top: Number,
    most: Number,
) -> Number:
    """Return the distance after a shift without regard to the band, or something above ``most``."""
    n, blocks = bits.shape
    first, end = _range_of(n, start, length, target)
    distance = last_column[first]
    if blocks == 1:  # nearly always; numbers then stay in registers
        rises, falls = up[first, 0], down[first, 0]
        for i in range(first, n):
            same = bits[_source(i, start, length, target, first, end), 0]
            rises, falls, step = _next_steps(rises, falls, same, np.int64(1), top)
            distance += step
        return distance
    for block in range(blocks):
        up[n + 1, block], down[n + 1, block] = up[first, block], down[first, block]
    for i in range(first, n):
        word = _source(i, start, length, target, first, end)
        distance += _next_row(bits, word, up, down, n + 1, n + 1, top)
        if distance - (n - i - 1) > most:  # a row changes the last column by 1 at most
            break
    return distance


@numba.njit
def _banded_distance(
    forward: Array, words: Array, ref: Array, low: Array, high: Array, start: Number, length: Number, target: Number,
    row: Array, other: Array,
) -> Number:
    """Return the distance after a shift within the band."""
    n = len(words)
    first, end = _range_of(n, start, length, target)
    _load_row(forward, row, first, low, high)
    for i in range(first + 1, n + 1):
        word = words[_source(i - 1, start, length, target, first, end)]
        _fill_row(row, other, word, ref, low[i], high[i], high[min(i + 1, n)])
        row, other = other, row
    return np.int64(row[len(ref)])


@numba.njit
def _cheapest_outside(low: Array, high: Array, m: Number) -> Number:
    """Return a lower bound of the distance along any way that leaves the band.

    A way through cell (i, j) costs |j - i| at least until there and |(m - j) - (n - i)| from there, which
    is least, on either side of the band, as near as possible to the stretch between the two diagonals.
    """
    n = len(low) - 1
    spare = m - n
    least: Number = np.int64(INFINITE)
    for i in range(1, n + 1):
        left, right = min(low[i] - 1, i + max(0, spare)), max(high[i], i + min(0, spare))
        if left >= 0:
            least = min(least, abs(left - i) + abs(spare - left + i))
        if right <= m:
            least = min(least, abs(right - i) + abs(spare - right + i))
    return least


@numba.njit
def _best_shift(
    words: Array, ref: Array, band: Arrays, forward: Array, bits: Array, steps: Arrays, alignment: Arrays,
    buffers: Arrays, outside: Number, checked: Number,
) -> tuple[Number, Number, Number, Number, Number]:
    """Return gain, size, start and target of the best shift, and the number of shifts tried so far.

    Of equal gains the longest shift is best, then the earliest words, then the earliest target. A shift
    that gains nothing ends the search anyway, so it needs no place among these.
    """
    n, m = len(words), len(ref)
    (low, high), (up, down, last_column), (align, ref_errors, hyp_errors) = band, steps, alignment
    row, other = buffers
    top = LOWEST << np.uint64((m - 1) % 64)
    before = np.int64(forward[n, m - low[n]])
    gain: Number = np.int64(0)
    size, origin, goal = gain, gain, gain
    for start in range(n):
        for at in range(max(0, start - MAX_SHIFT_DISTANCE), min(m, start + MAX_SHIFT_DISTANCE + 1)):
            length, longest = 0, min(MAX_SHIFT_SIZE, n - start, m - at)
            while length < longest and words[start + length] == ref[at + length]:
                length += 1
                if hyp_errors[start + length] == hyp_errors[start] or ref_errors[at + length] == ref_errors[at]:
                    continue
                if start <= align[at] < start + length:
                    continue
                previous = -1
                for offset in range(at - 1, at + length):
                    target = align[offset] + 1 if offset >= 0 else 0
                    if target == previous:
                        continue
                    previous = target
                    checked += 1
                    most = before - max(gain, 1)
                    now = _free_distance(bits, up, down, last_column, start, length, target, top, most)
                    if outside <= now <= most:
                        now = _banded_distance(forward, words, ref, low, high, start, length, target, row, other)
                    earlier = length > size or (length == size and (start, target) < (origin, goal))
                    if now <= most and (before - now > gain or earlier):
                        gain, size, origin, goal = before - now, length, start, target
                if checked >= MAX_CANDIDATES:
                    return gain, size, origin, goal, checked
    return gain, size, origin, goal, checked


@numba.njit
def _shift(words: Array, work: Array, start: Number, length: Number, target: Number) -> None:
    """Move some of the words before a target."""
    first, end = _range_of(len(words), start, length, target)
    for i in range(first, end):
        work[i] = words[_source(i, start, length, target, first, end)]
    for i in range(first, end):
        words[i] = work[i]


@numba.njit
def _edits(hypothesis: Array, ref: Array) -> tuple[Number, Number, Number, Number]:
    """Return the edits from a hypothesis to a reference: insertions, deletions, substitutions and shifts."""
    n, m = len(hypothesis), len(ref)
    if n == 0 or m == 0:
        return np.int64(m), np.int64(n), np.int64(0), np.int64(0)
    low, high = _band(n, m)
    width, blocks = (high[1:] - low[1:]).max(), (m + 63) // 64
    outside = _cheapest_outside(low, high, m)
    forward, row, other = np.empty((n + 1, width), np.int32), np.empty(m + 2, np.int32), np.empty(m + 2, np.int32)
    alignment = np.empty(m, np.int64), np.empty(m + 1, np.int64), np.empty(n + 1, np.int64)
    bits = np.empty((n, blocks), np.uint64)
    # The last row of the first two is scratch space.
    steps = np.empty((n + 2, blocks), np.uint64), np.empty((n + 2, blocks), np.uint64), np.empty(n + 1, np.int64)
    words, spare = hypothesis.copy(), np.empty(n, np.int32)
    shifts, checked = np.int64(0), np.int64(0)
    while True:
        _fill_forward(forward, words, ref, low, high, row, other)
        _align(forward, words, ref, low, high, alignment)
        _match_bits(words, ref, bits)
        _fill_steps(bits, steps[0], steps[1], steps[2], m, LOWEST << np.uint64((m - 1) % 64))
        gain, size, origin, goal, checked = _best_shift(
            words, ref, (low, high), forward, bits, steps, alignment, (row, other), outside, checked
        )
        if checked >= MAX_CANDIDATES or gain <= 0:
            # errors of words are substitutions and deletions, those of the reference substitutions and insertions
            distance, of_ref, of_words = np.int64(forward[n, m - low[n]]), alignment[1][m], alignment[2][n]
            return distance - of_words, distance - of_ref, of_words + of_ref - distance, shifts
        shifts += 1
        _shift(words, spare, origin, size, goal)


@numba.njit((_I32, _I64, _I32, _I64, _I64, _I64, _F64), cache=True, nogil=True)
def ter(
    tokens: Array, starts: Array, ref_tokens: Array, ref_starts: Array, groups: Array, group_of: Array, out: Array
) -> None:
    """Fill in [edits to the nearest reference, mean reference length, insertions, deletions, substitutions, shifts].

    Hypothesis i has tokens[starts[i]:starts[i + 1]], references the same of their own; references
    groups[g]:groups[g + 1] are those of the hypotheses whose group_of is g; out has shape (N, 6).
    """
    for row in range(len(group_of)):
        words = tokens[starts[row] : starts[row + 1]]
        first, last = groups[group_of[row]], groups[group_of[row] + 1]
        fewest, length = np.int64(-1), np.int64(0)
        for ref in range(first, last):
            ref_words = ref_tokens[ref_starts[ref] : ref_starts[ref + 1]]
            insertions, deletions, substitutions, shifts = _edits(words, ref_words)
            edits = insertions + deletions + substitutions + shifts
            length += len(ref_words)
            if fewest < 0 or edits < fewest:  # the first of those equally near
                fewest = edits
                out[row, 2], out[row, 3], out[row, 4], out[row, 5] = insertions, deletions, substitutions, shifts
        out[row, 0] = fewest
        out[row, 1] = length / (last - first)
