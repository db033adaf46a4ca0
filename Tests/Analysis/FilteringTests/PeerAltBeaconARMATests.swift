import Filtering
import TestSupport
import Testing

struct PeerAltBeaconARMATests {
  @Test(arguments: 1...3)
  func `is the published formula, truncated to an integer at each step`(seed: UInt64) throws {
    let script = """
      x = None
      for level in z:
          if x is None: x = int(level)
          x = int(x - 0.1 * (x - int(level)))
          answer(x)
      """
    let heard = IrregularLevels(500, window: 500, seed: seed)
    #expect(try heard.differences(from: script, PeerAltBeaconARMA()) == [])
  }

  @Test func `rises at any level above, and never falls by less than 10 dB`() {
    var filter = PeerAltBeaconARMA()
    _ = filter.update(time: 0, rssi: -70)
    for k in Int64(1)..<100 { #expect(filter.update(time: k, rssi: -79).rssi == -70) }
    #expect(filter.update(time: 100, rssi: -69).rssi == -69)
  }
}
