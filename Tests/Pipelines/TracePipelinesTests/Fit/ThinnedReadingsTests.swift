import Testing
import TracePipelines

@Suite struct ThinnedReadingsTests {
  @Test func `keeps every reading while they are few, and leaves out what no fit uses`() {
    var thinned = ThinnedReadings()
    thinned.add(levels: [-60, 0, -70, -80], times: [1, 2, 3, 4], slots: [5, 5, -1, 6])
    #expect(thinned.times == [1, 4])
    #expect(thinned.levels == [-60, -80])
    #expect(thinned.slots == [5, 6])
    #expect(thinned.step == 1)
  }

  @Test(arguments: [1, 7, 50_000])
  func `keeps every k-th of many, the same however they come in blocks`(block: Int) {
    let count = 50_000
    var thinned = ThinnedReadings()
    for first in stride(from: 0, to: count, by: block) {
      let times = (first..<min(first + block, count)).map(Int64.init)
      thinned.add(
        levels: times.map { _ in -60 }, times: times, slots: times.map { _ in 0 })
    }
    #expect(thinned.step == 4)
    #expect(thinned.times == stride(from: 0, to: Int64(count), by: 4).map(\.self))
  }
}
