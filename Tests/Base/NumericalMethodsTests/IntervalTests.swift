import Foundation
import NumericalMethods
import Testing

struct IntervalTests {
  @Test func `is an array of two numbers in JSON`() throws {
    let interval = Interval(lower: -1.5, upper: 2)
    let data = try JSONEncoder().encode([interval])
    #expect(String(decoding: data, as: UTF8.self) == "[[-1.5,2]]")
    #expect(try JSONDecoder().decode([Interval].self, from: data) == [interval])
  }

  @Test(arguments: ["[[]]", "[[1]]", "[[1,2,3]]", "[[1,null]]", "[{}]"])
  func `refuses any other length`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Interval].self, from: Data(json.utf8))
    }
  }

  @Test func `contains its limits`() {
    let interval = Interval(lower: 1, upper: 2)
    #expect(
      [0.9, 1, 1.5, 2, 2.1, .nan].map(interval.contains) == [false, true, true, true, false, false])
  }
}
