import Testing

@testable import Simulation

struct ReceptionTests {
  @Test(arguments: [
    (-59.5, Int8(-60)), (-59.49, -59), (-60.5, -61), (0.5, 1), (-0.5, -1), (19.6, 20), (35, 20),
    (-127.4, -127), (-300, -127),
  ])
  func `reports whole decibels`(_ level: Double, _ rssi: Int8) {
    #expect(PacketReception.reported(level) == rssi)
  }
}
