"""Where the names of points stand so that they do not cover one another."""

from __future__ import annotations

from collections.abc import Sequence

#: Positions of Plotly, by how far the middle of a name lies right of its point and above it, in half names.
_POSITIONS = {
    "top center": (0.0, 1.0), "bottom center": (0.0, -1.0), "middle right": (1.0, 0.0), "middle left": (-1.0, 0.0),
    "top right": (1.0, 1.0), "bottom left": (-1.0, -1.0), "top left": (-1.0, 1.0), "bottom right": (1.0, -1.0),
}  # fmt: skip
_LETTER, _LINE, _MARK, _LINE_WIDTH = 6.5, 13.0, 10.0, 3.0  # pixels
_BESIDE, _FAR = 20.0, 1e4  # pixels that are free on either side of the points, and more than any name takes
Box = tuple[float, float, float, float]  # left, bottom, right, top


def label_positions(
    names: Sequence[str], x: Sequence[float], y: Sequence[float], width: float = 420, height: float = 300,
    line: Sequence[tuple[float, float]] = (),
) -> list[str]:
    """Return the side of each point on which its name covers least of other names, points, a line and the axes.

    Parameters
    ----------
    names : sequence of str
    x, y : sequence of float
        The points.
    width, height : float
        Pixels that the points spread over.
    line : sequence of (x, y)
        Points that lie close together on a line that is drawn as well.

    Returns
    -------
    list of str
        Values of Plotly's ``textposition``.
    """
    places = list(zip(_pixels(x, width), _pixels(y, height), strict=True))
    on_line = zip(_pixels([px for px, _ in line], width, x), _pixels([py for _, py in line], height, y), strict=True)
    taken = [*(_square(place, _MARK) for place in places), *(_square(place, _LINE_WIDTH) for place in on_line),
             (-_FAR, -_FAR, -_BESIDE, _FAR), (width + _BESIDE, -_FAR, _FAR, _FAR)]
    chosen = []
    for name, place in zip(names, places, strict=True):
        boxes = {position: _box(name, place, side) for position, side in _POSITIONS.items()}
        best = min(boxes, key=lambda position: sum(_shared(boxes[position], other) for other in taken))
        taken.append(boxes[best])
        chosen.append(best)
    return chosen


def _square(place: tuple[float, float], side: float) -> Box:
    return place[0] - side / 2, place[1] - side / 2, place[0] + side / 2, place[1] + side / 2


def _pixels(values: Sequence[float], length: float, spread: Sequence[float] = ()) -> list[float]:
    """Return where values stand on an axis that these values, or others, spread over."""
    low, high = min(spread or values, default=0.0), max(spread or values, default=0.0)
    return [length * (value - low) / (high - low) if high > low else length / 2 for value in values]


def _box(name: str, place: tuple[float, float], side: tuple[float, float]) -> Box:
    half = _LETTER * len(name) / 2, _LINE / 2
    middle = [p + s * (h + _MARK / 2) for p, s, h in zip(place, side, half, strict=True)]
    return middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1]


def _shared(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    up = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, up)
