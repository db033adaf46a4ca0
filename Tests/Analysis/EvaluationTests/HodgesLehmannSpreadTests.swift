import Testing

@testable import Evaluation

struct HodgesLehmannSpreadTests {
  /// The means of all pairs of -5, 1 and 7 are -5, -2, 1, 1, 4 and 7.
  @Test func `values far on either side of zero have an estimate`() {
    #expect(HodgesLehmann([-5, 1, 7]).estimate == 1)
    // -1e300, -5e299, 0, 3, 5e299 and 1e300.
    #expect(HodgesLehmann([-1e300, 1e300, 3]).estimate == 1.5)
  }
}
