import Testing

@testable import Advertising

@Suite struct ADStructuresTests {
  private func walk(_ payload: [UInt8]) -> (structures: [ADStructure], isDamaged: Bool) {
    var walker = ADStructures()
    var structures: [ADStructure] = []
    while let structure = walker.next(in: payload.span) { structures.append(structure) }
    return (structures, walker.isDamaged)
  }

  @Test func `structures follow each other`() {
    let (structures, isDamaged) = walk([2, 1, 6, 1, 9, 3, 0xFF, 1, 2])
    #expect(
      structures == [
        ADStructure(type: 1, data: 2..<3), ADStructure(type: 9, data: 5..<5),
        ADStructure(type: 0xFF, data: 7..<9),
      ])
    #expect(!isDamaged)
  }

  @Test func `a zero length ends the data`() {
    let (structures, isDamaged) = walk([2, 1, 6, 0, 0, 0])
    #expect(structures.count == 1)
    #expect(!isDamaged)
  }

  @Test func `a structure longer than the data is damage`() {
    let (structures, isDamaged) = walk([2, 1, 6, 4, 0xFF, 1, 2])
    #expect(structures.count == 1)
    #expect(isDamaged)
  }
}
