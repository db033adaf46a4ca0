import Foundation
import Positioning
import TestSupport
import Testing

/// Every special case of the reference data, through every algorithm: right, or a named reason.
@Suite(.enabled(if: ReferenceGeometry.isPresent))
struct DegenerateGeometryTests {
  /// What an algorithm should say: `true` for the target's place, to 1 mm or a millionth of the site.
  enum Expectation {
    case target
    case refusal(Refusal)
    /// The ranges contradict each other: the closed form still has its radical centre.
    case radicalCentre
    /// A place inside the searched box that explains the levels no worse than the target does.
    case likelier
    /// As the published behaviour is intended.
    case published
  }

  static let table: [(name: String, linear: Expectation, epta: Expectation, likelihood: Expectation)] = [
    ("collinear_x_axis", .refusal(.collinearAnchors), .refusal(.collinearAnchors), .refusal(.collinearAnchors)),
    ("collinear_diagonal", .refusal(.collinearAnchors), .refusal(.collinearAnchors), .refusal(.collinearAnchors)),
    ("two_coincident", .refusal(.coincidentAnchors), .refusal(.coincidentAnchors), .refusal(.coincidentAnchors)),
    ("all_coincident", .refusal(.coincidentAnchors), .refusal(.coincidentAnchors), .refusal(.coincidentAnchors)),
    ("library_unit_test_layout", .target, .target, .target),
    ("p1_x_equals_y", .target, .target, .target),
    ("p1_x_not_equal_y", .target, .target, .target),
    ("i_equals_one", .target, .target, .target),
    // A bend of 0.1 mm in 10 m is below what a survey knows: a line, though exact ranges would do.
    ("near_collinear", .refusal(.collinearAnchors), .refusal(.collinearAnchors), .refusal(.collinearAnchors)),
    ("tiny_scale", .target, .refusal(.notConverged), .target),
    ("large_offset", .target, .target, .target),
    // No level means a range of 0, so an observation with it is invalid.
    ("all_zero_radii", .refusal(.invalidRange), .refusal(.invalidRange), .refusal(.invalidRange)),
    ("disjoint_circles", .radicalCentre, .refusal(.noCommonPoint), .likelier),
    ("one_contains_others", .radicalCentre, .refusal(.noCommonPoint), .likelier),
    ("negative_unknown_accuracy", .refusal(.invalidRange), .refusal(.invalidRange), .refusal(.invalidRange)),
    ("one_huge", .radicalCentre, .published, .likelier),
    ("nan_radius", .refusal(.invalidRange), .refusal(.invalidRange), .refusal(.invalidRange)),
  ]

  @Test("each algorithm is right or says why not")
  func everyAlgorithm() throws {
    let geometries = try ReferenceGeometry.read("degenerate")
    #expect(geometries.map { $0.name.split(separator: " ")[0] } == Self.table.map { $0.name[...] })
    for (geometry, row) in zip(geometries, Self.table) {
      for name in ["power-center", "sphere-intersection", "linear-least-squares"] {
        try check(name, geometry, row.linear)
      }
      try check("epta", geometry, row.epta)
      try check("maximum-likelihood", geometry, row.likelihood)
      // The centroid needs no geometry: it refuses only what is not a number.
      let centroid = try #require(Algorithms.named("weighted-centroid")).locate(geometry.observations)
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
    let outcome = try #require(Algorithms.named(name)).locate(geometry.observations)
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

  @Test("the bare closed forms answer a bend that only exact ranges can tell from a line")
  func nearCollinear() throws {
    let geometry = try #require(
      try ReferenceGeometry.read("degenerate").first { $0.name.hasPrefix("near_collinear") })
    let c = geometry.circles
    #expect(isClose(try PowerCenter.radicalCentre(c[0], c[1], c[2]), geometry.truth, within: 1e-6))
    #expect(isClose(try SphereIntersection.intersection(c[0], c[1], c[2]), geometry.truth, within: 1e-6))
    let published = try #require(geometry.answers["epta_outcount_and_pairs_fixed"])
    #expect(isClose(try EPTA.innerCentroid(c[0], c[1], c[2]), published, within: 1e-9))
  }
}
