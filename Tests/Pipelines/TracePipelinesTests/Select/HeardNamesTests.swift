import Foundation
import Testing

@testable import TracePipelines

struct HeardNamesTests {
  private func names(senders: [UInt64], beacon: String) throws -> HeardNames {
    let text = """
      {"taken": 2, "beacons": {"\(beacon)": 2}, "receivers": {}, "traces": {}, "kinds": {},
       "senders": \(senders), "first": 5, "last": 9}
      """
    return try JSONDecoder().decode(HeardNames.self, from: Data(text.utf8))
  }

  @Test func `names of several files are the same bytes in whatever order they are added`() throws {
    // As many as a hash table orders at random.
    let low = try names(senders: (1...40).map { $0 * 7_919 }, beacon: "a")
    let high = try names(senders: (20...60).map { $0 * 7_919 }, beacon: "b")
    func bytes(_ files: [HeardNames]) throws -> Data {
      var all = files[0]
      for file in files.dropFirst() { all.merge(file) }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(all)
    }
    let (forwards, backwards) = try (bytes([low, high]), bytes([high, low]))
    #expect(forwards == backwards)
    let object = try JSONSerialization.jsonObject(with: forwards) as? [String: Any]
    #expect(object?["senders"] as? [UInt64] == (1...60).map { $0 * 7_919 })
    #expect(object?["taken"] as? Int == 4)
  }
}
