import Sightings
import Support
import Testing

@Suite("Places and distances that no computation can use are refused")
struct UnusablePlaceTests {
  private func catalogue() -> Catalogue {
    var catalogue = Catalogue()
    catalogue.beacons = [Node(id: "fixed", kind: ""), Node(id: "moving", kind: "")]
    (catalogue.beacons[0].x, catalogue.beacons[0].y) = (1, 2)
    catalogue.receivers = [Node(id: "phone", kind: "")]
    catalogue.truth = (0..<3).map {
      TruthPoint(time: $0, role: .receiver, node: 0, trace: 0, x: 1, y: 2, z: .nan)
    }
    catalogue.stays = [
      DistanceStay(beacon: 0, receiver: 0, trace: 0, start: 0, end: 1, distance: 0)
    ]
    return catalogue
  }

  @Test func `unknown places are usable`() throws { try catalogue().requireUsablePlaces() }

  @Test(arguments: [Double.infinity, -.infinity, 1e300, -2e8])
  func `coordinates`(value: Double) throws {
    let changes: [(String, (inout Catalogue) -> Void)] = [
      ("/beacons, row 0 (fixed): x_m", { $0.beacons[0].x = value }),
      ("/beacons, row 1 (moving): y_m", { $0.beacons[1].y = value }),
      ("/receivers, row 0 (phone): z_m", { $0.receivers[0].z = value }),
      ("/truth/positions, row 1: y_m", { $0.truth[1].y = value }),
      ("/truth/positions, row 2: z_m", { $0.truth[2].z = value }),
      ("/truth/distances, row 0: distance_m", { $0.stays[0].distance = value }),
    ]
    for (words, change) in changes {
      var changed = catalogue()
      change(&changed)
      let error = #expect(throws: RSSIError.self) { try changed.requireUsablePlaces() }
      #expect(error?.description.hasPrefix("\(words) is \(value)") == true, "\(words)")
    }
  }

  @Test func `truth and distances must be known`() {
    for change in [
      { $0.truth[0].x = .nan }, { $0.truth[0].y = .nan }, { $0.stays[0].distance = .nan },
      { $0.stays[0].distance = -1 },
    ] as [(inout Catalogue) -> Void] {
      var changed = catalogue()
      change(&changed)
      #expect(throws: RSSIError.self) { try changed.requireUsablePlaces() }
    }
  }
}
