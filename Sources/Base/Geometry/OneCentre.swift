/// The place that minimises the greatest of some distances, each relative to a radius (weighted
/// 1-centre).
///
/// The place is p = argmin max |p - a_i| / r_i, the only common point of the discs of radius s r_i
/// about the a_i at the least scale s* at which they have one. Two or three discs determine it.
package struct OneCentre {
  package var place: Point
  /// The scale s*, the greatest of the relative distances at the place.
  package var scale: Double
  /// The two or three discs that touch in the place.
  package var holders: [Int]

  /// Returns the 1-centre of circles with positive radii about at least two places, or `nil` if all
  /// coincide.
  ///
  /// Starting from the two nearest circles, the disc that the place is farthest outside is added,
  /// and the best of the at most four is solved again. The scale grows each time, so no set of
  /// discs recurs. Each step is linear in the number of circles, and a handful suffices.
  ///
  /// An LP-type problem: Sharir & Welzl, "A Combinatorial Bound for Linear Programming and Related
  /// Problems", STACS 1992.
  package init?(_ circles: [Circle]) {
    // Relative to one of them, so that no digits are lost far from the origin.
    guard let origin = circles.first?.centre else { return nil }
    let circles = circles.map {
      Circle(
        centre: Point(x: $0.centre.x - origin.x, y: $0.centre.y - origin.y), radius: $0.radius)
    }
    guard
      let partner = circles.indices.first(where: { circles[$0].centre != circles[0].centre }),
      var best = Self.held(by: [0, partner], of: circles)
    else { return nil }
    while let worst = Self.farthestOutside(best, of: circles) {
      guard let next = Self.smallest(covering: best.holders + [worst], of: circles),
        next.scale > best.scale
      else { break }
      best = next
    }
    best.place = Point(x: origin.x + best.place.x, y: origin.y + best.place.y)
    self = best
  }

  private init(place: Point, scale: Double, holders: [Int]) {
    (self.place, self.scale, self.holders) = (place, scale, holders)
  }

  /// The relative rounding error of a scale.
  private static let rounding = 1e-12

  private static func farthestOutside(_ centre: OneCentre, of circles: [Circle]) -> Int? {
    var (worst, most) = (Int?.none, centre.scale * (1 + rounding))
    for (index, circle) in circles.enumerated() where !centre.holders.contains(index) {
      let relative = circle.centre.distance(to: centre.place) / circle.radius
      if relative > most { (worst, most) = (index, relative) }
    }
    return worst
  }

  /// Returns the centre of three or four circles: the one determined by some of them that covers
  /// the others.
  private static func smallest(covering members: [Int], of circles: [Circle]) -> OneCentre? {
    var sets: [[Int]] = []
    for (i, a) in members.enumerated() {
      for (j, b) in members.enumerated() where j > i {
        sets.append([a, b])
        for c in members[(j + 1)...] { sets.append([a, b, c]) }
      }
    }
    // The scale of all is the greatest of those of its subsets of two and three. Because of
    // rounding, it is found by its cover and not by its size.
    var best: (excess: Double, centre: OneCentre)?
    for set in sets {
      guard let centre = held(by: set, of: circles) else { continue }
      let excess =
        members.map {
          circles[$0].centre.distance(to: centre.place) / circles[$0].radius / centre.scale
        }.max() ?? 1
      if excess <= 1 + rounding {
        if best.map({ $0.excess > 1 + rounding || centre.scale < $0.centre.scale }) ?? true {
          best = (excess, centre)
        }
      } else if excess < best?.excess ?? .infinity {
        best = (excess, centre)
      }
    }
    return best?.centre
  }

  /// Returns the first place in which the growing discs of two or three circles touch, or `nil` if
  /// they never do.
  private static func held(by holders: [Int], of circles: [Circle]) -> OneCentre? {
    let (a, b) = (circles[holders[0]], circles[holders[1]])
    guard holders.count == 3 else {
      let distance = a.centre.distance(to: b.centre)
      guard distance > 0 else { return nil }
      let share = a.radius / (a.radius + b.radius)
      return OneCentre(
        place: Point(
          x: a.centre.x + share * (b.centre.x - a.centre.x),
          y: a.centre.y + share * (b.centre.y - a.centre.y)),
        scale: distance / (a.radius + b.radius), holders: holders)
    }
    return held(by: holders, a, b, circles[holders[2]])
  }

  /// Returns the place p with |p - a_i|² = t r_i² for three circles, with the least t.
  ///
  /// Relative to a_1, the differences of the equations give p = e + t f, and the first is then
  /// quadratic in t: (f·f) t² + (2 e·f - r_1²) t + e·e = 0.
  private static func held(
    by holders: [Int], _ a: Circle, _ b: Circle, _ c: Circle
  ) -> OneCentre? {
    let (bx, by) = (b.centre.x - a.centre.x, b.centre.y - a.centre.y)
    let (cx, cy) = (c.centre.x - a.centre.x, c.centre.y - a.centre.y)
    let determinant = bx * cy - by * cx
    guard determinant != 0 else { return nil }
    func solve(_ first: Double, _ second: Double) -> (x: Double, y: Double) {
      ((first * cy - second * by) / determinant, (second * bx - first * cx) / determinant)
    }
    let e = solve((bx * bx + by * by) / 2, (cx * cx + cy * cy) / 2)
    let f = solve(
      (a.radius * a.radius - b.radius * b.radius) / 2,
      (a.radius * a.radius - c.radius * c.radius) / 2)
    let square = f.x * f.x + f.y * f.y
    let half = (a.radius * a.radius) / 2 - (e.x * f.x + e.y * f.y)
    let constant = e.x * e.x + e.y * e.y
    let discriminant = half * half - square * constant
    guard half > 0, discriminant >= 0 else { return nil }
    // The smaller root in the form that loses no digits; there is none for equal radii, for which f
    // is 0.
    let t = constant / (half + discriminant.squareRoot())
    return OneCentre(
      place: Point(x: a.centre.x + e.x + t * f.x, y: a.centre.y + e.y + t * f.y),
      scale: t.squareRoot(), holders: holders)
  }
}
