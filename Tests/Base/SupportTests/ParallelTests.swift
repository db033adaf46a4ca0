import Support
import Testing

@Suite("Work on all cores")
struct ParallelTests {
  private struct Failure: Error, Equatable { var number: Int }

  @Test func `is handed over in order, up to the first that fails`() throws {
    var taken: [Int] = []
    try parallelInOrder(1000, { $0 * $0 }, take: { taken.append($0) })
    #expect(taken == (0..<1000).map { $0 * $0 })
    taken = []
    #expect(throws: Failure(number: 70)) {
      try parallelInOrder(1000) { number in
        if number >= 70 { throw Failure(number: number) }
        return number
      } take: {
        taken.append($0)
      }
    }
    #expect(taken == Array(0..<70))
  }
}
