import Geometry
import NumericalMethods
import Testing

@testable import Simulation

struct ScannerTests {
  @Test func `listens on one channel for one interval`() {
    var stream = RandomStream(seed: 1, for: .scanner)
    let scanner = Scanner(interval: 0.1, from: &stream)
    #expect((0..<300_000_000).contains(scanner.phase))
    let change = 100_000_000 - scanner.phase % 100_000_000
    let before = scanner.channel(at: change - 1)
    let after = [0, 1, 2, 3].map { scanner.channel(at: change + $0 * 100_000_000) }
    #expect(before == after[2])
    #expect(after[0] == after[3])
    #expect(Set(after) == [37, 38, 39])
    #expect(after[1] == (after[0] == 39 ? 37 : after[0] + 1))
    #expect(scanner.channel(at: change + 99_999_999) == after[0])
  }

  @Test func `starts anywhere`() {
    let starts = (0..<9_000).map { trace -> UInt8 in
      var stream = RandomStream(seed: 1, for: .scanner, trace)
      return Scanner(interval: 0.1, from: &stream).channel(at: 0)
    }
    for channel in UInt8(37)...39 {
      #expect(isShare(starts.filter { $0 == channel }.count, of: 9_000, 1.0 / 3))
    }
  }
}
