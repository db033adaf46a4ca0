import Sightings
import Testing

@Suite struct LinkTests {
  @Test(
    arguments: [
      (0, 0, 0), (UInt32.max, UInt16.max, UInt16.max), (1, 2, 3), (.max, 0, 0), (0, .max, 0),
      (0, 0, .max),
    ] as [(UInt32, UInt16, UInt16)])
  func `keeps its parts`(beacon: UInt32, receiver: UInt16, trace: UInt16) {
    let link = Link(beacon: beacon, receiver: receiver, trace: trace)
    #expect(link.beacon == beacon && link.receiver == receiver && link.trace == trace)
  }

  @Test func `is one word`() { #expect(MemoryLayout<Link>.size == 8) }

  @Test func `is a key`() {
    var numbers: [Link: Int] = [:]
    for number in 0..<100 {
      numbers[
        Link(
          beacon: UInt32(number / 25), receiver: UInt16(number / 5 % 5), trace: UInt16(number % 5))] =
        number
    }
    #expect(numbers.count == 100)
    #expect(numbers[Link(beacon: 3, receiver: 4, trace: 2)] == 97)
  }
}
