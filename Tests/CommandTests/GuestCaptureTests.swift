import Foundation
import TestSupport
import Testing

/// Captures in a guest. One at a time: each wants a processor for itself.
@Suite(.serialized, .enabled(if: Guest.obstacle == nil, "\(Guest.obstacle ?? "")"))
struct GuestTests {}

/// Every advertisement that a controller sends arrives with its level.
extension GuestTests {
  @Test(arguments: ["three_beacons", "extended"])
  func hearsEveryAdvertisement(scenario: String) throws {
    let path = Guest.scenario(scenario)
    let guest = try Guest.run(
      scenario: path, "rssi capture hci0 -o x.h5 --duration 1s")
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(try differences(guest.out.path("x.h5"), path) == "")
    #expect(try gaps(of: guest.out.path("x.h5")) == [])
  }
}
