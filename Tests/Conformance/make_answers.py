#!/usr/bin/env python3
"""Writes cases.csv, geometries.csv and answers.csv of the conformance suite.

Every answer comes from a route that shares no code and, where there is one, no formula with the
algorithms under test: linear systems in rational arithmetic, roots in decimal arithmetic with 60 digits,
the one-centre by trying every pair and triple, the likelihood's minimum by a dense grid, then scipy.
Needs numpy and scipy. The same seed gives the same files.
"""

import csv
import itertools
import math
import pathlib
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize

getcontext().prec = 60
FOLDER = pathlib.Path(__file__).parent
PLANE, SPACE = 2, 3
random = np.random.default_rng(20261121)


class Case:
    def __init__(self, name, description, anchors, ranges, dimensions=PLANE, sigma=4.0, exponent=2.0):
        self.name, self.description, self.dimensions = name, description, dimensions
        self.anchors = [tuple(float(v) for v in a) for a in anchors]
        self.ranges = [float(r) for r in ranges]
        self.sigma, self.exponent = sigma, exponent

    def bounds(self):
        """The anchors' rectangle with its longer side, or the shortest range, on each side."""
        xs, ys = [a[0] for a in self.anchors], [a[1] for a in self.anchors]
        finite = [r for r in self.ranges if math.isfinite(r) and r > 0] or [1]
        margin = max(max(xs) - min(xs), max(ys) - min(ys), 2 * min(finite))
        return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


# --- geometry in exact arithmetic -----------------------------------------------------------------

def solve(matrix, vector):
    """Gauss's elimination in whatever exact numbers it is given."""
    size = len(vector)
    rows = [list(matrix[i]) + [vector[i]] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(size):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def squared_ranges(case):
    """Exact squared ranges: of the plane below the anchor's height, or slant in space."""
    squares = []
    for (x, y, z), r in zip(case.anchors, case.ranges):
        square = Fraction(r) ** 2
        if case.dimensions == PLANE:
            square = max(Fraction(0), square - Fraction(z) ** 2)
        squares.append(square)
    return squares


def places(case):
    return [tuple(Fraction(v) for v in a[:case.dimensions]) for a in case.anchors]


def nearest(case, count):
    squares = squared_ranges(case)
    return sorted(range(len(squares)), key=lambda i: squares[i])[:count]


def scatter(points):
    size, count = len(points[0]), len(points)
    mean = [sum(p[k] for p in points) / count for k in range(size)]
    return mean, [[sum((p[i] - mean[i]) * (p[j] - mean[j]) for p in points) for j in range(size)]
                  for i in range(size)]


def layout_refusal(points, needed):
    """Why places do not fix a position: README.md has the rule."""
    if len(points) < needed:
        return "too-few-anchors"
    _, s = scatter(points)
    values = np.linalg.eigvalsh(np.array([[float(v) for v in row] for row in s]))
    values = np.maximum(values, 0)
    e1, e2 = values.sum(), sum(a * b for a, b in itertools.combinations(values, 2))
    if len(points[0]) == 2:
        breadth = 2 * math.sqrt(e2) / e1 if e1 > 0 else 0
        distinct = 3
    else:
        breadth = math.sqrt(3 * e2) / e1 if e1 > 0 else 0
        distinct = 3
    assert not 1e-4 < breadth < 2e-3, "too near the threshold to be a fair case"
    if breadth < 1e-3:
        return "coincident-anchors" if len(set(points)) < distinct else "collinear-anchors"
    if needed == 4:
        depth = 3 * math.sqrt(values.prod() / (e1 * e2))
        assert not 1e-4 < depth < 2e-3
        if depth < 1e-3:
            return "coincident-anchors" if len(set(points)) < 4 else "coplanar-anchors"
    return None


def least_squares(points, squares):
    """Squared-range equations less their mean, by the normal equations in fractions."""
    mean, s = scatter(points)
    size = len(mean)
    right = [Fraction(0)] * size
    for p, r2 in zip(points, squares):
        b = [p[k] - mean[k] for k in range(size)]
        excess = (sum(v * v for v in b) - r2) / 2
        right = [right[k] + b[k] * excess for k in range(size)]
    return [mean[k] + u for k, u in enumerate(solve(s, right))]


# --- the algorithms -------------------------------------------------------------------------------

def linear_least_squares(case):
    chosen = range(len(case.ranges))
    return over(case, list(chosen), 3 if case.dimensions == PLANE else 4)


def power_center(case):
    needed = 3 if case.dimensions == PLANE else 4
    return over(case, nearest(case, needed), needed)


def over(case, chosen, needed):
    points, squares = places(case), squared_ranges(case)
    points, squares = [points[i] for i in chosen], [squares[i] for i in chosen]
    refusal = layout_refusal(points, needed)
    return refusal if refusal else [float(v) for v in least_squares(points, squares)]


def sphere_intersection(case):
    chosen = nearest(case, 3)
    points, squares = [places(case)[i] for i in chosen], [squared_ranges(case)[i] for i in chosen]
    refusal = layout_refusal(points, 3)
    if refusal:
        return refusal
    if case.dimensions == PLANE:
        # The pairwise differences, by Cramer's rule.
        (a, b), (c, d) = [[2 * (points[k][j] - points[0][j]) for j in (0, 1)] for k in (1, 2)]
        e, f = [squares[0] - squares[k] + sum(v * v for v in points[k])
                - sum(v * v for v in points[0]) for k in (1, 2)]
        return [float((e * d - b * f) / (a * d - b * c)), float((a * f - c * e) / (a * d - b * c))]
    # Two planes meet in a line p + t n; the first sphere cuts it where a quadratic in t is 0.
    u, v = [[points[k][j] - points[0][j] for j in range(3)] for k in (1, 2)]
    n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    right = [(squares[0] - squares[k] + sum(w * w for w in e)) / 2 for k, e in ((1, u), (2, v))]
    foot = solve([u, v, n], right + [Fraction(0)])
    n2, gap = sum(w * w for w in n), squares[0] - sum(w * w for w in foot)
    if gap < 0:
        return [float(points[0][k] + foot[k]) for k in range(3)]
    ratio = gap / n2
    t = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).sqrt()
    ends = []
    for sign in (-1, 1):
        ends.append([float(decimal(points[0][k] + foot[k]) + sign * t * decimal(n[k]))
                     for k in range(3)])
    low, high = sorted(ends, key=lambda p: p[2])
    return low + high


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def weighted_centroid(case):
    weights = [1 / Fraction(r) ** 2 for r in case.ranges]
    total = sum(weights)
    return [float(sum(w * p[k] for w, p in zip(weights, places(case))) / total)
            for k in range(case.dimensions)]


def min_max(case):
    roots = [decimal(s).sqrt() for s in squared_ranges(case)]
    answer = []
    for k in range(case.dimensions):
        low = max(decimal(p[k]) - r for p, r in zip(places(case), roots))
        high = min(decimal(p[k]) + r for p, r in zip(places(case), roots))
        answer.append(float((low + high) / 2))
    return answer


def one_centre(case):
    """Every pair and triple of the three nearest, in decimals: the least scale that covers all."""
    if case.dimensions == SPACE:
        return "wrong-dimensions"
    chosen = nearest(case, 3)
    points = [places(case)[i] for i in chosen]
    refusal = layout_refusal(points, 3)
    if refusal:
        return refusal
    squares = [squared_ranges(case)[i] for i in chosen]
    if min(squares) == 0:
        return "outside-domain"
    p = [[decimal(v) for v in q] for q in points]
    r = [decimal(s).sqrt() for s in squares]
    candidates = []
    for i, j in itertools.combinations(range(3), 2):
        share = r[i] / (r[i] + r[j])
        candidates.append([p[i][k] + share * (p[j][k] - p[i][k]) for k in (0, 1)])
    # |q - p_i| / r_i alike for all: on the circles of Apollonius of two pairs, found by bisection of
    # the scale between the largest scale of a pair and that of the centroid, on the common chord's gap.
    candidates += concurrent(p, r)
    def scale(q):
        return max(((q[0] - a[0]) ** 2 + (q[1] - a[1]) ** 2).sqrt() / b for a, b in zip(p, r))
    best = min(candidates, key=scale)
    radical = least_squares(points, squares)
    turns = []
    for k in range(3):
        a, b = points[k], points[(k + 1) % 3]
        turns.append((b[0] - a[0]) * (radical[1] - a[1]) - (b[1] - a[1]) * (radical[0] - a[0]))
    inside = all(t > 0 for t in turns) or all(t < 0 for t in turns)
    if scale(best) < 1 and not inside:
        assert scale(best) < Decimal("0.999999"), "too near the edge to be a fair case"
        return "outside-domain"
    return [float(v) for v in best]


def concurrent(p, r):
    """The places at which the relative distances to three places are alike."""
    # In inversive terms: equal relative distances to (1, 2) and (1, 3) are two circles (or lines),
    # A (x² + y²) + B x + C y + D = 0; their radical line cuts the first.
    def apollonius(i, j):
        wi, wj = 1 / r[i] ** 2, 1 / r[j] ** 2
        return [wi - wj, -2 * (wi * p[i][0] - wj * p[j][0]), -2 * (wi * p[i][1] - wj * p[j][1]),
                wi * (p[i][0] ** 2 + p[i][1] ** 2) - wj * (p[j][0] ** 2 + p[j][1] ** 2)]
    one, two = apollonius(0, 1), apollonius(0, 2)
    # Eliminate the square: a line B x + C y + D = 0.
    line = [two[0] * a - one[0] * b for a, b in zip(one, two)]
    if one[0] == 0 and two[0] == 0:
        x, y = solve([one[1:3], two[1:3]], [-one[3], -two[3]])
        return [[x, y]]
    circle = one if one[0] != 0 else two
    b, c, d = line[1:]
    if one[0] == 0 or two[0] == 0:
        b, c, d = (one if one[0] == 0 else two)[1:]
    n2 = b * b + c * c
    x0, y0 = -b * d / n2, -c * d / n2
    # (x0 - c t, y0 + b t) on the circle.
    qa = circle[0] * n2
    qb = circle[0] * 2 * (-c * x0 + b * y0) - circle[1] * c + circle[2] * b
    qc = circle[0] * (x0 ** 2 + y0 ** 2) + circle[1] * x0 + circle[2] * y0 + circle[3]
    discriminant = qb * qb - 4 * qa * qc
    if discriminant < 0:
        return []
    return [[x0 - c * t, y0 + b * t] for sign in (-1, 1)
            for t in [(-qb + sign * discriminant.sqrt()) / (2 * qa)]]


def maximum_likelihood(case):
    """The least cost on a grid three times the bounds and on the anchors' circles, each then polished.

    No answer where the minimum is not inside the bounds, or where a second one is nearly as deep.
    """
    if case.dimensions == SPACE:
        return None
    if layout_refusal(places(case), 3):
        return None
    a, s = np.array(case.anchors), np.array(case.ranges)
    origin, unit = a[:, :2].mean(axis=0), np.ptp(a[:, :2], axis=0).max()
    b, h, t = (a[:, :2] - origin) / unit, a[:, 2] / unit, s / unit
    weight = 10 * case.exponent / (case.sigma * math.log(10))
    def cost(p):
        d2 = ((p - b) ** 2).sum(axis=-1) + h ** 2
        return ((weight * (0.5 * np.log(d2) - np.log(t))) ** 2).sum(axis=-1)
    x0, y0, x1, y1 = [(v - o) / unit for v, o in zip(case.bounds(), [*origin, *origin])]
    w, v = x1 - x0, y1 - y0
    xs, ys = np.linspace(x0 - w, x1 + w, 360), np.linspace(y0 - v, y1 + v, 360)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    values = cost(grid[:, :, None, :])
    inner = values[1:-1, 1:-1]
    isLow = np.ones_like(inner, bool)
    for dy, dx in itertools.product((-1, 0, 1), repeat=2):
        if dy or dx:
            isLow &= inner <= values[1 + dy:359 + dy, 1 + dx:359 + dx]
    starts = [grid[1:-1, 1:-1][isLow]]
    for (x, y), hh, r in zip(b, h, t):
        q = math.sqrt(max(r * r - hh * hh, 1e-6 * r * r))
        angle = np.arange(36) * math.pi / 18
        starts.append(np.stack([x + q * np.cos(angle), y + q * np.sin(angle)], axis=-1))
    def gradient(p):
        e = p - b
        d2 = (e ** 2).sum(axis=1) + h ** 2
        return (2 * weight ** 2 * (0.5 * np.log(d2) - np.log(t)) / d2) @ e
    ends = []
    for start in np.concatenate(starts):
        r = minimize(cost, start, jac=gradient, method="BFGS", options={"gtol": 1e-11})
        ends.append((r.fun, *r.x))
    ends.sort()
    best = np.array(ends[0][1:])
    for _ in range(50):
        e = 1e-6
        hessian = np.array([(gradient(best + d) - gradient(best - d)) / (2 * e)
                            for d in (np.array([e, 0]), np.array([0, e]))])
        best = best - np.linalg.solve(hessian, gradient(best))
    others = [f for f, *p in ends if np.hypot(*(np.array(p) - best)) > 1e-4]
    if others and others[0] < cost(best) + 0.05:
        return None
    if not (x0 < best[0] < x1 and y0 < best[1] < y1):
        return None
    return list(best * unit + origin)


ALGORITHMS = {
    "power-center": (power_center, 1), "sphere-intersection": (sphere_intersection, 1),
    "linear-least-squares": (linear_least_squares, 1), "weighted-centroid": (weighted_centroid, 1),
    "min-max": (min_max, 1), "epta-one-centre": (one_centre, 1),
    "maximum-likelihood": (maximum_likelihood, 100),
}


# --- the cases ------------------------------------------------------------------------------------

def measured(anchors, target, noise=0.0, exponent=2.0):
    """Distances to a target, off by a normal error of the level in dB."""
    return [math.dist(a, target) * 10 ** (noise * random.normal() / (10 * exponent)) for a in anchors]


def scene(count, height=0.0):
    anchors = [(*random.uniform(0, 20, 2), height) for _ in range(count)]
    return anchors, (*random.uniform(0, 20, 2), 0.0)


def cases():
    for index in range(16):
        count = [3, 3, 4, 4, 5, 6, 8, 10][index % 8]
        anchors, target = scene(count, 2.5 if index >= 12 else 0.0)
        yield Case(f"exact-{index + 1}", f"{count} anchors and exact ranges"
                   + (", anchors 2.5 m above the target" if index >= 12 else ""),
                   anchors, measured(anchors, target))
    for index in range(6):
        corners = [(0, 0, 0), (20, 0, 0), (6, 18, 0)]
        w = random.dirichlet([3, 3, 3])
        target = tuple(sum(w[k] * corners[k][j] for k in range(3)) for j in range(3))
        yield Case(f"inside-{index + 1}", "a target inside three anchors, exact ranges",
                   corners, measured(corners, target))
    for index in range(24):
        count, noise = [3, 4, 5, 6, 8, 10][index % 6], [2.0, 4.0, 6.0, 4.0][index // 6]
        exponent = [2.0, 2.0, 2.0, 3.1][index // 6]
        anchors, target = scene(count)
        yield Case(f"noisy-{index + 1}", f"{count} anchors, levels off by {noise:g} dB, exponent "
                   f"{exponent:g}", anchors, measured(anchors, target, noise, exponent),
                   sigma=noise, exponent=exponent)
    right = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    yield Case("right-angle", "a right angle at the origin", right, measured(right, (1, 0.5, 0)))
    yield Case("on-an-anchor", "a target a millimetre from an anchor", right,
               measured(right, (4.001, 0, 0)))
    yield Case("far", "a target 1 km from anchors within 10 m", [(0, 0, 0), (10, 0, 0), (3, 8, 0)],
               measured([(0, 0, 0), (10, 0, 0), (3, 8, 0)], (800, 600, 0)))
    yield Case("under-an-anchor", "a slant range shorter than the anchor's height",
               [(0, 0, 3), (10, 0, 3), (4, 9, 3)], [2.5, 9, 8])
    for name, size in [("tiny", 1e-3), ("large", 1e5)]:
        anchors = [(0, 0, 0), (size, 0, 0), (0.3 * size, 0.9 * size, 0), (size, size, 0)]
        yield Case(name, f"a site of {size:g} m", anchors,
                   measured(anchors, (0.45 * size, 0.3 * size, 0)))
    anchors = [(4.5e5, 5.4e6, 0), (4.5e5 + 20, 5.4e6, 0), (4.5e5 + 5, 5.4e6 + 16, 0)]
    yield Case("map-grid", "a site of 20 m in the coordinates of a national grid", anchors,
               measured(anchors, (4.5e5 + 8, 5.4e6 + 6, 0)))
    triangle = [(0, 0, 0), (20, 0, 0), (8, 17, 0)]
    yield Case("apart", "circles that do not meet", triangle, [3, 4, 5])
    yield Case("nested", "one circle contains the others", triangle, [60, 3, 4])
    yield Case("bend", "a bend of 1 cm in 1 m", [(0, 0, 0), (1, 0.01, 0), (2, 0, 0)],
               measured([(0, 0, 0), (1, 0.01, 0), (2, 0, 0)], (0.7, 0.4, 0)))
    axis = [(0, 0, 0), (5, 0, 0), (11, 0, 0)]
    yield Case("line-axis", "anchors on the x axis", axis, measured(axis, (4, 3, 0)))
    diagonal = [(0, 0, 0), (5, 5, 0), (11, 11, 0), (20, 20, 0)]
    yield Case("line-diagonal", "four anchors on a diagonal", diagonal, measured(diagonal, (4, 3, 0)))
    bent = [(0, 0, 0), (5, 1e-4, 0), (10, 0, 0)]
    yield Case("line-bent", "a bend of 0.1 mm in 10 m, below any survey's precision", bent,
               measured(bent, (4, 3, 0)))
    pair = [(0, 0, 0), (0, 0, 0), (10, 2, 0)]
    yield Case("pair", "two of three anchors at one place", pair, measured(pair, (4, 3, 0)))
    pile = [(5, 5, 0)] * 4
    yield Case("pile", "all anchors at one place", pile, measured(pile, (4, 3, 0)))
    four = [(1, 1, 0), (1, 1, 0), (12, 2, 0), (4, 15, 0)]
    yield Case("pair-of-four", "two of four anchors at one place, nearest the target", four,
               measured(four, (2.0, 3.0, 0)))
    yield Case("none", "nothing heard", [], [])
    yield Case("one", "one anchor", triangle[:1], [5])
    yield Case("two", "two anchors", triangle[:2], [12, 13])
    for name, bad in [("zero", 0.0), ("negative", -1.0), ("not-a-number", math.nan),
                      ("infinite", math.inf)]:
        yield Case(f"range-{name}", f"a range that is {name.replace('-', ' ')}", triangle, [12, bad, 9])
    yield Case("place-not-a-number", "an anchor whose place is not known",
               [triangle[0], (math.nan, 3, 0), triangle[2]], [12, 8, 9])
    for index in range(8):
        count = 4 + index % 5
        anchors = [(*random.uniform(0, 20, 2), random.uniform(0, 6)) for _ in range(count)]
        target = (*random.uniform(0, 20, 2), random.uniform(0, 2))
        yield Case(f"space-{index + 1}", f"{count} anchors in space, "
                   + ("exact ranges" if index < 5 else "levels off by 2 dB"), anchors,
                   measured(anchors, target, 0 if index < 5 else 2), SPACE, sigma=2.0)
    for index in range(4):
        anchors = [(*random.uniform(0, 20, 2), 4.0) for _ in range(3 + index % 2 * 2)]
        target = (*random.uniform(0, 20, 2), random.uniform(0, 2))
        yield Case(f"ceiling-{index + 1}", f"{len(anchors)} anchors on a ceiling of 4 m", anchors,
                   measured(anchors, target), SPACE)
    ceiling = [(0, 0, 3), (10, 0, 3), (2, 9, 3)]
    yield Case("ceiling-apart", "spheres that do not meet", ceiling, [2, 3, 4], SPACE)
    line = [(k, 2 * k, 3 * k) for k in (0, 1, 3, 7)]
    yield Case("space-line", "anchors on a line in space", line, measured(line, (3, 1, 1)), SPACE)
    yield Case("space-pile", "anchors at one place in space", [(5, 5, 2)] * 4, [2, 2, 2, 2], SPACE)
    yield Case("space-one", "one anchor in space", [(5, 5, 2)], [2], SPACE)
    yield Case("space-zero", "a range of zero in space", [(0, 0, 0), (9, 0, 1), (2, 9, 3), (5, 5, 5)],
               [3, 0, 5, 4], SPACE)


# --- writing --------------------------------------------------------------------------------------

def answer(case, name, function):
    if any(not math.isfinite(v) for a in case.anchors for v in a) or any(
            not (math.isfinite(r) and r > 0) for r in case.ranges):
        return "invalid-range"
    if name == "maximum-likelihood" and len(case.ranges) < 3:
        return None
    if not case.ranges:
        return "too-few-anchors"
    if name == "epta-one-centre" and len(case.ranges) < 3:
        return "too-few-anchors"
    return function(case)


def tolerance(case, place, factor):
    """In metres: the rounding of levels in dB, times what the geometry makes of it."""
    points = [[float(v) for v in p] for p in places(case)]
    extent = max((math.dist(p, q) for p in points for q in points), default=0) or 1
    length = max([extent, *case.ranges, *(math.dist(p, place) for p in points)])
    return factor * 1e-9 * max(1, length / extent) * max(length, 1e-3 * max(map(abs, place)))


def write(name, header, rows):
    with open(FOLDER / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main():
    everything = list(cases())
    bounds = lambda c: [f"{v:.10g}" for v in c.bounds()] if c.anchors and all(
        math.isfinite(v) for a in c.anchors for v in a) else [""] * 4
    write("cases.csv", ["case", "dimensions", "min_x", "min_y", "max_x", "max_y", "description"],
          [[c.name, c.dimensions, *bounds(c), c.description] for c in everything])
    write("geometries.csv", ["case", "anchor", "x", "y", "z", "range", "exponent", "sigma"],
          [[c.name, k + 1, *map(repr, a), repr(r), c.exponent, c.sigma] for c in everything
           for k, (a, r) in enumerate(zip(c.anchors, c.ranges))])
    rows = []
    for case in everything:
        for name, (function, factor) in ALGORITHMS.items():
            found = answer(case, name, function)
            if found is None:
                continue
            if isinstance(found, str):
                rows.append([case.name, name, found] + [""] * 7)
                continue
            size = case.dimensions
            place, other = found[:size], found[size:]
            cells = [repr(float(v)) for v in place] + [""] * (3 - size)
            others = [repr(float(v)) for v in other] or [""] * 3
            bent = 100 if case.name == "bend" else 1
            # The root of a small difference of squares has half the digits.
            root = 100 if other else 1
            allowed = tolerance(case, place, factor * bent * root)
            rows.append([case.name, name, "", *cells, f"{allowed:.3g}", *others])
    write("answers.csv", ["case", "algorithm", "refusal", "x", "y", "z", "tolerance", "other_x",
                          "other_y", "other_z"], rows)
    print(f"{len(everything)} cases, {len(rows)} answers")


if __name__ == "__main__":
    main()
