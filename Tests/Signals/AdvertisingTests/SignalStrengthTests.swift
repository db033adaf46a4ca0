import Testing

@testable import Advertising

@Suite struct SignalStrengthTests {
  @Test func `every byte that is a number comes back`() {
    for byte in UInt8.min...UInt8.max {
      let rssi = SignalStrength.decode(byte)
      #expect(SignalStrength.encode(rssi) == (rssi.isNaN ? 127 : byte))
    }
  }

  @Test(
    arguments: [
      (-60.5, -61), (-60.4, -60), (0.5, 1), (-127.4, -127), (-127.5, 127), (20.4, 20), (20.5, 127),
      (.nan, 127), (.infinity, 127), (-.infinity, 127),
    ] as [(Float, Int8)])
  func `powers are rounded half away from zero`(rssi: Float, byte: Int8) {
    #expect(SignalStrength.encode(rssi) == UInt8(bitPattern: byte))
  }
}
