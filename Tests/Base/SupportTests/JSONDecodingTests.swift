import Foundation
import Support
import TestSupport
import Testing

/// Compares with Foundation's reading of the same text, as an independent reference.
@Suite struct JSONDecodingTests {
  private struct Document: Codable, Equatable {
    enum Kind: String, Codable { case near, far }
    struct Part: Codable, Equatable {
      var size: UInt8
      var kind: Kind?
      var inner: [Part]?
    }

    var name: String
    var level: Double
    var count: Int?
    var large: UInt64?
    var flag: Bool?
    var rate: Float?
    var parts: [Part]
    var limits: [String: [Double]]?
    var holes: [Int?]?
  }

  private let samples = [
    #"{"name": "a\u00e9\n", "level": -61.25, "count": 12, "large": 18446744073709551615, "flag": true, "rate": 0.1, "parts": [{"size": 7, "kind": "near", "inner": [{"size": 255}]}]}"#,
    #"{"limits": {"a": [1, 2.5e-3], "ä": [], "": [0]}, "holes": [1, null, 3], "level": 1e3, "name": "", "parts": [], "other": {"x": [[], {}]}, "count": 3.0}"#,
  ]

  @Test func `mutants are read as Foundation reads them`() throws {
    var random = SeededGenerator(seed: 0x4445_434F)
    let document = JSONDocument()
    var (read, refused) = (0, 0)
    for index in 0..<4000 {
      let text = mutatedJSON(Array(samples[index % 2].utf8), &random)
      // Foundation is lenient about what is not asked for, about commas and about the end.
      guard document.parse(text.span), String(validating: text, as: UTF8.self) != nil else {
        #expect(throws: DecodingError.self) { try Document(json: text) }
        continue
      }
      let own = Result { try Document(json: text) }
      let expected = Result { try JSONDecoder().decode(Document.self, from: Data(text)) }
      let words = String(decoding: text, as: UTF8.self)
      switch (own, expected) {
      case (.success(let own), .success(let expected)):
        read += 1
        #expect(own == expected, "\(words)")
      case (.failure(let own), .failure(let expected)):
        refused += 1
        guard let own = own as? DecodingError, let expected = expected as? DecodingError else {
          Issue.record("\(own) \(expected)")
          continue
        }
        // Foundation leaves out where a number does not fit.
        if !own.path.isEmpty, expected.path.isEmpty { continue }
        #expect(own.path == expected.path, "\(words): \(own) \(expected)")
      case (.failure(let error), .success), (.success, .failure(let error)):
        Issue.record("\(words): \(error)")
      }
    }
    #expect(read > 500 && refused > 50)
  }

  @Test(arguments: [
    (#"{"name": 1}"#, "name", "Expected to decode String but found number instead."),
    (#"{"name": null}"#, "name", "Cannot get value of type String -- found null value instead"),
    (
      #"{"name": "", "level": 1, "parts": [{"size": 1}, {"size": "1"}]}"#, "parts/Index 1/size",
      "Expected to decode UInt8 but found a string instead."
    ),
    (
      #"{"name": "", "level": 1, "parts": [{"size": 1, "kind": "wide"}]}"#, "parts/Index 0/kind",
      "Cannot initialize Kind from invalid String value wide"
    ),
    (#"{"name": "", "level": 1, "parts": {}}"#, "parts", "found a dictionary instead."),
    ("{", "", "The given data was not valid JSON."),
  ])
  func `errors have the place and the problem`(_ text: String, _ path: String, _ words: String) {
    let error = #expect(throws: DecodingError.self) { try Document(json: Array(text.utf8)) }
    #expect(error?.path == path)
    #expect(error.map { "\($0)".contains(words) } == true)
  }

  @Test(arguments: ["256", "-1", "1.5", "1e999"])
  func `numbers that do not fit are named`(_ number: String) {
    let text = #"{"name": "", "level": 1, "parts": [{"size": \#(number)}]}"#
    let error = #expect(throws: DecodingError.self) { try Document(json: Array(text.utf8)) }
    #expect(error?.path == "parts/Index 0/size")
  }

  @Test func `a byte order mark is passed over and the first of one name counts`() throws {
    let text = "\u{FEFF}" + #"{"name": "a", "name": "b", "level": 1, "parts": []}"#
    #expect(try Document(json: Array(text.utf8)).name == "a")
    #expect(throws: DecodingError.self) {
      try Document(json: Array(#"{"level": 1, "parts": [], "name": ""#.utf8) + [0xFF, 0x22, 0x7D])
    }
  }
}

extension DecodingError {
  fileprivate var path: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.map(\.stringValue).joined(separator: "/")
    @unknown default: "?"
    }
  }
}
