/// The certified global minimum of a ``LevelProblem`` in its box, by branch and bound.
///
/// A box is discarded if its bound exceeds the best cost found, or if it lies in the box around the
/// best unknowns in which none are better; any other is halved across its widest unknown. A centre
/// better than the best starts a descent. More general than ``PlaneSearch`` (heights, offsets, any
/// loss), and slower.
struct CertifiedSearch {
  /// The largest improvement over the answer that may remain undiscovered, relative to 1 + the
  /// cost.
  static let tolerance = 1e-8
  /// The number of boxes after which a search fails.
  static let budget = 100_000

  private struct Box {
    var middle: SIMD4<Double>
    var half: SIMD4<Double>
    var bound: LevelProblem.Bound
  }

  /// The number of boxes that the last search visited.
  private(set) var visits = 0

  /// Returns the unknowns of the least cost, or `nil` if the budget ends before the proof.
  mutating func minimum(
    of problem: LevelProblem, start: SIMD4<Double>
  ) -> (unknowns: SIMD4<Double>, cost: Double)? {
    var best = problem.descent(from: start)
    guard best.cost.isFinite else { return nil }
    var proven = problem.provenHalf(about: best.unknowns)
    var goal = best.cost - Self.tolerance * (1 + best.cost)
    visits = 1
    let middle = 0.5 * (problem.low + problem.high)
    let half = 0.5 * (problem.high - problem.low)
    var open = [Box(middle: middle, half: half, bound: problem.bound(middle: middle, half: half))]
    while let box = open.popLast() {
      // A bound that is not a number proves nothing.
      if box.bound.least >= goal { continue }
      visits += 2
      if visits > Self.budget { return nil }
      let axis = box.bound.widest
      var part = box
      part.half[axis] /= 2
      var parts: [Box] = []
      for side in [-1.0, 1.0] {
        part.middle[axis] = box.middle[axis] + side * part.half[axis]
        part.bound = problem.bound(middle: part.middle, half: part.half)
        if part.bound.middle < best.cost {
          let next = problem.descent(from: part.middle)
          if next.cost < best.cost {
            best = next
            proven = problem.provenHalf(about: best.unknowns)
            goal = best.cost - Self.tolerance * (1 + best.cost)
          }
        }
        parts.append(part)
      }
      parts.sort { $0.bound.least > $1.bound.least }
      for part in parts where !(part.bound.least >= goal) {
        let step = part.middle - best.unknowns
        let reach = step.replacing(with: -step, where: step .< 0) + part.half
        if any(reach .> proven) { open.append(part) }
      }
    }
    return best
  }
}
