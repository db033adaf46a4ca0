import Foundation
import Geometry
import Positioning
import Testing

@Suite("Live tracks")
struct LiveTrackTests {
  /// A walk among six anchors with pauses, every scan asked for its own instant.
  private static func scans(_ known: Surroundings) -> [Scan] {
    (1...40).map { number in
      let instant = Int64(number) * 1_000_000_000
      guard number % 11 != 0 else {
        return Scan(instant: instant, start: instant - 1_000_000_000, observations: [])
      }
      let here = Point(x: 1 + 0.2 * Double(number), y: 3)
      // Anchors are heard in turn, each with an error of its own that is the same in every run.
      let heard = known.anchors.indices.filter { ($0 + number) % 4 != 0 }
      let readings = heard.map { anchor -> Reading in
        let distance = max(0.3, known.anchors[anchor].place.distance(to: here))
        let error = Double((anchor * 7 + number * 3) % 9) - 4
        return Reading(
          time: instant - 1_000_000_000 + Int64(anchor + 1) * 150_000_000, anchor: anchor,
          rssi: -59 - 20 * log10(distance) + error)
      }
      return Scan(
        instant: instant, start: instant - 1_000_000_000,
        observations: readings.map {
          Observation(known.anchors[$0.anchor], number: $0.anchor, rssi: $0.rssi)
        },
        readings: readings)
    }
  }

  private static var known: Surroundings {
    var known = Surroundings()
    known.anchors = [(0, 0), (10, 0), (0, 6), (10, 6), (5, 0.5), (5, 5.5)].map { x, y in
      Anchor(
        place: Point(x: x, y: y), measuredPower: -59, exponent: 2, sigma: 4,
        reception: Anchor.Reception(rate: 2, sensitivity: -90))
    }
    known.spots = [Point(x: 4, y: 3)]
    return known
  }

  @Test(
    arguments: Algorithms.names.filter {
      !["combination", "inverse-covariance", "attract"].contains($0)
    }
      + [
        "combination:kalman=1,weighted-centroid=0.5",
        "inverse-covariance:of=grid-filter+maximum-likelihood",
        "attract:to=spots,of=grid-filter", "particle-filter:particles=200",
        "grid-filter:silence=no",
      ])
  func `answer as all scans at once are answered, to the last bit`(name: String) throws {
    let algorithm = try Algorithms.named(name)
    let known = Self.known
    let scans = Self.scans(known)
    guard var live = algorithm.track(in: known) else {
      #expect(!algorithm.isCausal)
      return
    }
    #expect(algorithm.isCausal)
    let expected = algorithm.locate(scans, in: known)
    for (number, scan) in scans.enumerated() {
      #expect(live.locate(scan) == expected[number], "\(name), scan \(number)")
    }
  }
}
