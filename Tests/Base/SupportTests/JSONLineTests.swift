import Foundation
import Support
import TestSupport
import Testing

/// Lines of NDJSON, each an object, read into one document.
@Suite struct JSONLineTests {
  private let line = JSONDocument(maximumDepth: .max)

  private func accepts(_ bytes: [UInt8]) -> Bool {
    line.parse(bytes.span) && line.root.kind == .object
  }

  private func text(_ element: JSONElement?) -> String? {
    element?.text.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The text of a string under "k".
  private func string(_ json: String) -> String? {
    accepts(Array("{\"k\":\(json)}".utf8)) ? text(line.root["k"]) : nil
  }

  @Test(arguments: [
    "-", "01", "-01", "1.", ".5", "1-2", "1e", "1e+", "+1", "1.5.2", "--1", "0x1", "1e5.0", "00",
    "[}", "{]", "[1,]", "[,]", "{\"a\":1,}", "{\"a\"}", "{1:2}", "[1 2]", "[[]", "{\"a\":[}]",
    "[\"]", "[01]", "[tru]", "nul", "True", "'a'", "", "1 1", "[]]",
  ])
  func `invalid JSON is refused`(_ value: String) {
    #expect(!accepts(Array("{\"k\":\(value)}".utf8)))
  }

  @Test(arguments: [
    "0", "-0", "0.5", "-10.25e-3", "1E+5", "[]", "{}", "[[],{}]",
    "{\"a\":{\"b\":[1,2,{\"c\":null}]}}",
    "[ 1 , \"]\" , { \"}\" : true } ]", "\"\"", "false", "[[[[[[[[]]]]]]]]",
  ])
  func `valid JSON is accepted`(_ value: String) {
    #expect(accepts(Array("\t{ \"k\" : \(value) } ".utf8)))
    #expect(accepts(Array("{\"k\":\(value),\"l\":\(value)}".utf8)))
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
    (#""\ud83d\udce1""#, "📡"), (#""é📡""#, "é📡"),
  ])
  func `escapes are resolved`(_ json: String, _ expected: String) {
    #expect(string(json) == expected)
  }

  @Test(arguments: [
    #""\ud83d""#, #""\udce1""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\u12""#,
    #""\x""#, #""\"#, "\"\t\"",
  ])
  func `escapes that stand for nothing are refused`(_ json: String) {
    #expect(string(json) == nil)
    #expect(!accepts(Array("{\"k\":\(json)}".utf8)))
  }

  @Test func `nesting is bounded by the line alone`() {
    let depth = 30_000
    let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(accepts(Array("{\"k\":\(nest)}".utf8)))
    #expect(!accepts(Array("{\"k\":\(nest.dropLast())}".utf8)))
  }

  /// Bytes drawn from those that mean something, whole and with one changed, never crash, and are
  /// taken exactly where Python takes them.
  @Test func `Python takes and refuses the same lines`() throws {
    var random = SeededGenerator(seed: 21)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"\"", "\\", "\"", "1", "0", "-", ".", "e",
      "null", "true", " ", "\"b\":", "{\"c\":2}",
    ]
    let seeds = [#"{"a":[1,{"b":null}],"c":"x\n"}"#, #"{"a":-1.5e3,"b":{}}"#, #"{"a":[[],[0]]}"#]
    let lines = (0..<20_000).map { index in
      var line = seeds[index % 3].map(String.init)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<line.count, using: &random)
        line[place] = pieces.randomElement(using: &random) ?? ""
      }
      return line.joined()
    }
    let directory = try TemporaryDirectory()
    let path = try directory.write(lines.joined(separator: "\n"), to: "lines")
    let result = try runPython(
      """
      import json, sys
      for line in open(sys.argv[1], newline="\\n"):
          try: print(int(isinstance(json.loads(line), dict)))
          except ValueError: print(0)
      """, [path])
    let answers = result.output.split(separator: "\n").map { $0 == "1" }
    try #require(answers.count == lines.count, "\(result.error)")
    for (line, answer) in zip(lines, answers) {
      #expect(accepts(Array(line.utf8)) == answer, "\(line)")
    }
    #expect(answers.contains(true) && answers.contains(false))
  }

  @Test func `no bytes crash`() {
    var random = SeededGenerator(seed: 22)
    var taken = 0
    for _ in 0..<20_000 {
      var bytes = Array(#"{"time_s":1,"k":["\u00e9",{"a":"\ud83d\udce1"}]}"#.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      bytes.removeLast(.random(in: 0...1, using: &random))
      if line.parse(bytes.span) { taken += 1 }
    }
    #expect(taken > 0 && taken < 20_000)
  }

  /// Whatever Python writes of an object reads as the same texts and numbers.
  @Test func `JSON of Python is read unchanged`() throws {
    let result = try runPython(
      """
      import json, random
      random.seed(5)
      letters = 'a"\\\\/\\b\\f\\n\\r\\t\\x01 é€📡{}[],:'
      for i in range(2000):
          text = "".join(random.choices(letters, k=random.randrange(12)))
          number = random.choice([random.gauss(0, 100), random.randrange(-10**6, 10**6),
                                  random.random() * 10.0 ** random.randrange(-30, 30)])
          row = {"s": text, "nest": {"s": [text, {text: number}]}, "n": number}
          print(json.dumps(row, ensure_ascii=i % 2 == 0))
          print(text.encode().hex() + ";" + float(number).hex())
      """)
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4000, "\(result.error)")
    for index in stride(from: 0, to: lines.count, by: 2) {
      guard accepts(Array(lines[index].utf8)), let text = text(line.root["s"]) else {
        Issue.record("\(lines[index])")
        continue
      }
      let hex = text.utf8.map { String(format: "%02x", $0) }.joined()
      let expected = lines[index + 1].split(separator: ";", omittingEmptySubsequences: false)
      #expect(hex == expected[0])
      #expect(line.root["n"]?.number == Double(String(expected[1])))
    }
  }
}
