import Sightings
import Testing

@testable import Capture

struct DropCountTests {
  @Test func `returns the difference since the last time`() {
    var drops = DropCount()
    drops.note(0)
    #expect(drops.take().isEmpty)
    drops.note(3)
    drops.note(10)
    #expect(drops.take() == [TransportLoss(reason: .overflow, dropped: 10)])
    drops.note(10)
    #expect(drops.take().isEmpty)
  }

  @Test func `counts on where the kernels count wraps`() {
    var drops = DropCount()
    drops.note(UInt32.max - 1)
    _ = drops.take()
    drops.note(3)
    #expect(drops.take() == [TransportLoss(reason: .overflow, dropped: 5)])
  }

  @Test func `starts from zero with a new socket`() {
    var drops = DropCount()
    drops.note(100)
    drops.restart()
    drops.note(4)
    #expect(drops.take() == [TransportLoss(reason: .overflow, dropped: 104)])
  }

  @Test func `counts nothing where the kernel is silent`() {
    var drops = DropCount()
    drops.note(nil)
    #expect(drops.take().isEmpty)
  }
}
