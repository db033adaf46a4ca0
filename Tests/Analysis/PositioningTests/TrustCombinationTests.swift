import Foundation
import Geometry
import Positioning
import Support
import TestSupport
import Testing

struct TrustCombinationTests {
  @Test func `divides trusts by their sum, and counts all alike where none is above 1e-5`() throws {
    #expect(try Trusts([1, 3]).weights == [0.25, 0.75])
    #expect(try Trusts([0, 2]).weights == [0, 1])
    #expect(try Trusts([0, 0, 0, 0]).weights == [0.25, 0.25, 0.25, 0.25])
    #expect(try Trusts([1e-5, 0]).weights == [0.5, 0.5])
    #expect(try Trusts([1.1e-5, 0]).weights == [1, 0])
    #expect(try Trusts([1e308, 1e308]).weights == [0.5, 0.5])
    for bad in [[], [1, -0.5], [.nan], [1, .infinity]] as [[Double]] {
      #expect(throws: RSSIError.self) { try Trusts(bad) }
    }
  }

  @Test func `is the weighted mean of its members`() throws {
    let combination = TrustCombination(
      [FixedAnswer("a", at: 0, 0), FixedAnswer("b", at: 8, 4)], trusts: try Trusts([3, 1]))
    let estimate = try #require(combination.answer().estimate)
    #expect(estimate.position == Point(x: 2, y: 1))
    #expect(estimate.leftOut.isEmpty)
    #expect(estimate.uncertainty == .unavailable(.noErrorModel))
  }

  @Test func `leaves out members that refuse, with the reasons`() throws {
    let combination = TrustCombination(
      [
        FixedAnswer("a", at: 0, 0), FixedAnswer("b", .refused(.collinearAnchors)),
        FixedAnswer("c", at: 8, 4), FixedAnswer("distrusted", at: 100, 100),
      ], trusts: try Trusts([1, 2, 1, 0]))
    let estimate = try #require(combination.answer().estimate)
    #expect(estimate.position == Point(x: 4, y: 2))
    #expect(estimate.leftOut == ["b": .refused(.collinearAnchors)])
    #expect(estimate.leftOut["b"]?.description == "collinear-anchors")
    let none = TrustCombination(
      [FixedAnswer("b", .refused(.collinearAnchors)), FixedAnswer("distrusted", at: 1, 1)],
      trusts: try Trusts([1, 0]))
    #expect(none.answer().refusal == .noMemberAnswered)
  }

  @Test func `its covariance is reached by fully correlated errors, and exceeded by none`() throws {
    let first = Covariance(xx: 4, xy: 1, yy: 2)
    let second = Covariance(xx: 16, xy: 4, yy: 8)
    let combination = TrustCombination(
      [FixedAnswer("a", at: 0, 0, first), FixedAnswer("b", at: 8, 4, second)],
      trusts: try Trusts([1, 1]))
    // The second error is twice the first: the mean is 1.5 times the first.
    let alike = try #require(combination.answer().covariance)
    #expect(isClose(alike, Covariance(xx: 9, xy: 2.25, yy: 4.5), relative: 1e-12))

    // Errors u and v with any correlation: cov = Σ_k t_k² C_k + t1 t2 (X + Xᵀ), X = L1 K L2ᵀ, |K| ≤
    // 1.
    var generator = SeededGenerator(seed: 60)
    for _ in 0..<200 {
      func number() -> Double { Double.random(in: 0.2..<3, using: &generator) }
      let (a, b, c, d) = (number(), number() - 1.5, number(), number())
      let (e, f) = (number() - 1.5, number())
      let t = Double.random(in: 0..<1, using: &generator)
      let angle = Double.random(in: 0..<(2 * Double.pi), using: &generator)
      let members = [
        FixedAnswer("a", at: 0, 0, Covariance(xx: a * a, xy: a * b, yy: b * b + c * c)),
        FixedAnswer("b", at: 0, 0, Covariance(xx: d * d, xy: d * e, yy: e * e + f * f)),
      ]
      let combined = TrustCombination(members, trusts: try Trusts([t, 1 - t]))
      let bound = try #require(combined.answer().covariance)
      // Rows of t L1 + (1 - t) L2 K with K a rotation.
      let (k, s) = (cos(angle), sin(angle))
      let m = [
        [t * a + (1 - t) * d * k, -(1 - t) * d * s],
        [t * b + (1 - t) * (e * k + f * s), t * c + (1 - t) * (-e * s + f * k)],
      ]
      let excess = (
        bound.xx - m[0][0] * m[0][0] - m[0][1] * m[0][1],
        bound.xy - m[0][0] * m[1][0] - m[0][1] * m[1][1],
        bound.yy - m[1][0] * m[1][0] - m[1][1] * m[1][1]
      )
      #expect(excess.0 + excess.2 >= -1e-9)
      #expect(excess.0 * excess.2 - excess.1 * excess.1 >= -1e-9)
    }
  }

  @Test func `is causal where all members are`() throws {
    let late = FixedAnswer("late", .refused(.declined), isCausal: false)
    let prompt = FixedAnswer("prompt", at: 0, 0)
    #expect(!TrustCombination([prompt, late], trusts: try Trusts([1, 1])).isCausal)
    #expect(TrustCombination([prompt], trusts: try Trusts([1])).isCausal)
  }

  @Test func `is named by its members and their trusts, and by nothing else`() throws {
    let combination = try Algorithms.named("combination:centroid=1,nearest-anchor=3")
    #expect(combination.name == "combination:centroid=1,nearest-anchor=3")
    var generator = SeededGenerator(seed: 61)
    let scene = Scene.random(anchors: 4, using: &generator).observations
    let a = try Centroid().estimate(scene).position
    let b = try NearestAnchor().estimate(scene).position
    let mean = Point(x: 0.25 * a.x + 0.75 * b.x, y: 0.25 * a.y + 0.75 * b.y)
    #expect(isClose(try #require(combination.locate(scene).position), mean, within: 1e-12))
    for bad in [
      "combination", "combination:", "combination:centroid=-1", "combination:nobody=1",
      "combination:centroid=much", "combination:centroid", "combination:centroid=1,centroid=1",
    ] {
      #expect(throws: RSSIError.self, "\(bad)") { try Algorithms.named(bad) }
    }
  }

  @Test func `a list distinguishes algorithms from parameters`() throws {
    let text = "epta,combination:centroid=1,epta=2,attract:to=spots,of=centroid,power=1,min-max"
    #expect(
      Algorithms.names(in: text) == [
        "epta", "combination:centroid=1,epta=2", "attract:to=spots,of=centroid,power=1", "min-max",
      ])
    for name in Algorithms.names(in: text) { _ = try Algorithms.named(name) }
    #expect(Algorithms.names(in: "exec:./mine --fast,epta") == ["exec:./mine --fast", "epta"])
    #expect(Algorithms.names(in: "").isEmpty)
  }
}
