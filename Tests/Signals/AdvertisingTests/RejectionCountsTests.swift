import Advertising
import Testing

@Suite struct RejectionCountsTests {
  @Test func `counts add up`() {
    var counts = RejectionCounts()
    #expect(Array(counts).isEmpty)
    counts.add(.badLength)
    counts.add(.truncatedReport)
    var other = RejectionCounts()
    other.add(.badLength)
    counts.merge(other)
    #expect(counts[.badLength] == 2)
    #expect(counts.total == 3)
    #expect(counts.map { $0.reason } == [.truncatedReport, .badLength])
    #expect(counts.map { $0.count } == [1, 2])
  }

  @Test func `every reason has its own place`() {
    var counts = RejectionCounts()
    for reason in Rejection.allCases { counts.add(reason) }
    #expect(counts.map { $0.reason } == Rejection.allCases)
    #expect(counts.allSatisfy { $0.count == 1 })
  }
}
