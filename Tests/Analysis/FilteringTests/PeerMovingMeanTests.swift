import Filtering
import TestSupport
import Testing

struct PeerMovingMeanTests {
  @Test(arguments: 1...2)
  func `is the mean of the last second`(seed: UInt64) throws {
    let script = "for _, inside, _ in windows(1_000_000_000): answer(inside.mean())"
    let heard = IrregularLevels(500, window: 1_000_000_000, seed: seed)
    #expect(try heard.differences(from: script, PeerMovingMean()) == [])
  }
}
