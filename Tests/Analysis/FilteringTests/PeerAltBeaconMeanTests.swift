import Filtering
import TestSupport
import Testing

struct PeerAltBeaconMeanTests {
  @Test(arguments: 1...3)
  func `is the mean between the published indices`(seed: UInt64) throws {
    let script = """
      for _, inside, _ in windows(20_000_000_000):
          size = len(inside)
          start, end = 0, size - 1
          if size > 2: start, end = size // 10 + 1, size - size // 10 - 2
          kept = sorted(inside)[start:end + 1]
          answer(sum(kept) / (end - start + 1))
      """
    let heard = IrregularLevels(600, window: 20_000_000_000, seed: seed)
    #expect(try heard.differences(from: script, PeerAltBeaconMean()) == [])
  }

  @Test func `leaves two of ten levels out on each side, and of three all but the middle one`() {
    var filter = PeerAltBeaconMean()
    var said = 0.0
    for (k, level) in [-100.0, -90, -60].enumerated() {
      said = filter.update(time: Int64(k), rssi: level).rssi
    }
    #expect(said == -90)
    for k in Int64(3)..<10 { said = filter.update(time: k, rssi: -60).rssi }
    #expect(said == -60)
  }
}
