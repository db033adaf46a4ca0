import TestSupport
import Testing
import TracePipelines

@Suite("A clock's offset over a recording") struct OffsetTrackTests {
  @Test func `is straight between measurements`() {
    var track = OffsetTrack([.init(local: 0, offset: 100), .init(local: 1000, offset: 300)])
    #expect([-5, 0, 250, 1000, 2000].map { track.offset(at: $0) } == [100, 100, 150, 300, 300])
  }

  /// Values of a damaged file must not end the program.
  @Test(arguments: 0..<200)
  func `outlives whatever was measured`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let extremes: [Int64] = [
      .min, .min + 1, .min / 2, -50_000_001, -1, 0, 1, 1 << 62, .max - 1, .max,
    ]
    func any() -> Int64 {
      Bool.random(using: &random)
        ? extremes.randomElement(using: &random) ?? 0 : .random(in: .min ... .max, using: &random)
    }
    var track = OffsetTrack(
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        .init(local: any(), offset: Bool.random(using: &random) ? any() : 0)
      })
    for _ in 0..<50 { _ = track.offset(at: any()) }
  }
}
