import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

/// Every special case of the reference data, through every algorithm: right, or a named reason.
@Suite(.needs(data: "reference-algorithms"))
struct DegenerateGeometryTests {
  /// The expected answer of an algorithm.
  enum Expectation {
    /// The target's place, to a millionth of the site.
    case target
    case refusal(Refusal)
    /// The ranges contradict each other: the closed form still has its radical centre.
    case radicalCentre
    /// A place inside the searched box that explains the levels no worse than the target does.
    case likelier
    /// As the published behaviour is intended.
    case published
  }

  private struct Row {
    var name: String
    /// The answer of `power-center`, `sphere-intersection` and `linear-least-squares`.
    var linear: Expectation
    var epta: Expectation
    var likelihood: Expectation

    init(_ name: String, _ linear: Expectation, epta: Expectation, likelihood: Expectation) {
      (self.name, self.linear, self.epta, self.likelihood) = (name, linear, epta, likelihood)
    }

    init(_ name: String, all expectation: Expectation) {
      self.init(name, expectation, epta: expectation, likelihood: expectation)
    }
  }

  private static let table = [
    Row("collinear_x_axis", all: .refusal(.collinearAnchors)),
    Row("collinear_diagonal", all: .refusal(.collinearAnchors)),
    Row("two_coincident", all: .refusal(.coincidentAnchors)),
    Row("all_coincident", all: .refusal(.coincidentAnchors)),
    Row("library_unit_test_layout", all: .target),
    Row("p1_x_equals_y", all: .target),
    Row("p1_x_not_equal_y", all: .target),
    Row("i_equals_one", all: .target),
    // A bend of 0.1 mm in 10 m is below what a survey knows: a line, though exact ranges would do.
    Row("near_collinear", all: .refusal(.collinearAnchors)),
    Row("tiny_scale", .target, epta: .refusal(.notConverged), likelihood: .target),
    Row("large_offset", all: .target),
    // No level means a range of 0, so an observation with it is invalid.
    Row("all_zero_radii", all: .refusal(.invalidRange)),
    Row("disjoint_circles", .radicalCentre, epta: .refusal(.noCommonPoint), likelihood: .likelier),
    Row(
      "one_contains_others", .radicalCentre, epta: .refusal(.noCommonPoint), likelihood: .likelier),
    Row("negative_unknown_accuracy", all: .refusal(.invalidRange)),
    Row("one_huge", .radicalCentre, epta: .published, likelihood: .likelier),
    Row("nan_radius", all: .refusal(.invalidRange)),
  ]

  @Test func `each algorithm is right or gives a reason`() throws {
    let geometries = try ReferenceGeometry.read("degenerate")
    #expect(geometries.map { $0.name.split(separator: " ")[0] } == Self.table.map { $0.name[...] })
    for (geometry, row) in zip(geometries, Self.table) {
      for name in ["power-center", "sphere-intersection", "linear-least-squares"] {
        try check(name, geometry, row.linear)
      }
      try check("epta", geometry, row.epta)
      try check("maximum-likelihood", geometry, row.likelihood)
      // The centroid needs no geometry: it refuses only what is not a number.
      let centroid = try Algorithms.named("weighted-centroid").locate(
        geometry.observations)
      if case .refusal(.invalidRange) = row.linear {
        #expect(centroid.refusal == .invalidRange)
      } else {
        let p = try #require(centroid.position)
        let c = geometry.circles.map(\.centre)
        #expect(p.x >= c.map(\.x).min()! && p.x <= c.map(\.x).max()!, "\(row.name)")
        #expect(p.y >= c.map(\.y).min()! && p.y <= c.map(\.y).max()!, "\(row.name)")
      }
    }
  }

  private func check(
    _ name: String, _ geometry: ReferenceGeometry, _ expectation: Expectation
  ) throws {
    let outcome = try Algorithms.named(name).locate(geometry.observations)
    let comment: Comment = "\(name) on \(geometry.name): \(outcome)"
    let c = geometry.circles
    let extent = c[0].centre.distance(to: c[1].centre)
    switch expectation {
    case .refusal(let refusal):
      #expect(outcome.refusal == refusal, comment)
    case .target:
      let p = try #require(outcome.position, comment)
      #expect(isClose(p, geometry.truth, within: 1e-6 * extent), comment)
    case .radicalCentre:
      let p = try #require(outcome.position, comment)
      let expected = try #require(geometry.answers["power_center_shipped"])
      #expect(isClose(p, expected, within: 1e-8), comment)
    case .published:
      let p = try #require(outcome.position, comment)
      let expected = try #require(geometry.answers["epta_outcount_and_pairs_fixed"])
      #expect(isClose(p, expected, within: 1e-9), comment)
    case .likelier:
      let p = try #require(outcome.position, comment)
      func cost(_ q: Point) -> Double {
        c.map { pow(log(q.distance(to: $0.centre) / $0.radius), 2) }.reduce(0, +)
      }
      #expect(cost(p) <= cost(geometry.truth), comment)
    }
  }

  @Test
  func `the bare closed forms answer a bend that only exact ranges distinguish from a line`() throws
  {
    let geometry = try #require(
      try ReferenceGeometry.read("degenerate").first { $0.name.hasPrefix("near_collinear") })
    let c = geometry.circles
    #expect(isClose(try PowerCenter.radicalCentre(c[0], c[1], c[2]), geometry.truth, within: 1e-6))
    #expect(
      isClose(try SphereIntersection.intersection(c[0], c[1], c[2]), geometry.truth, within: 1e-6))
    let published = try #require(geometry.answers["epta_outcount_and_pairs_fixed"])
    #expect(isClose(try EPTA.innerCentroid(c[0], c[1], c[2]), published, within: 1e-9))
  }
}
