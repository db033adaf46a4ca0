import TestSupport
import Testing

@testable import Recordings

@Suite struct DecimalNumberTests {
  private func nanoseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return DecimalNumber.nanoseconds(bytes.span)
  }

  private func double(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    return DecimalNumber.double(bytes.span)
  }

  /// Numbers of one to forty digits, with and without a sign, a point and an exponent.
  private func texts(_ count: Int, seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    func digits(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &random)).reduce(into: "") { text, _ in
        text +=
          ["0", "9", "5", "\(Int.random(in: 0...9, using: &random))"].randomElement(using: &random)
          ?? "1"
      }
    }
    return (0..<count).map { _ in
      var text = ["", "", "-", "+"].randomElement(using: &random) ?? ""
      text += digits(1...(Bool.random(using: &random) ? 12 : 25))
      if Int.random(in: 0..<4, using: &random) > 0 { text += "." + digits(0...20) }
      if Int.random(in: 0..<4, using: &random) == 0 {
        text += "e\(Int.random(in: -30...12, using: &random))"
      }
      return text
    }
  }

  private func judge(_ script: String, _ texts: [String]) throws -> [String] {
    let directory = try TemporaryDirectory()
    let path = try directory.write(texts.joined(separator: "\n"), to: "texts")
    let result = try runPython(
      "import sys\ntexts = open(sys.argv[1]).read().split()\n" + script, [path])
    let answers = result.output.split(separator: "\n").map(String.init)
    try #require(answers.count == texts.count, "\(result.error)")
    return answers
  }

  @Test func `nanoseconds are exact`() throws {
    let texts = texts(20_000, seed: 1)
    let answers = try judge(
      """
      from decimal import Decimal, ROUND_HALF_UP, getcontext
      getcontext().prec = 200
      for text in texts:
          whole = (Decimal(text) * 10**9).quantize(Decimal(1), ROUND_HALF_UP)
          print(int(whole) if abs(whole) <= 9223372000 * 10**9 else None)
      """, texts)
    var within = 0
    for (text, answer) in zip(texts, answers) {
      #expect(nanoseconds(text) == Int64(answer), "\(text)")
      if answer != "None" { within += 1 }
    }
    #expect(within > 5000 && within < 19_000)
  }

  @Test(arguments: [
    ("1700000000.12345678949999999999", 1_700_000_000_123_456_789),
    ("1700000000.1234567895000000000000", 1_700_000_000_123_456_790),
    ("-0.00000000050000000000000000000000", -1),
    ("9223372000.0000000000000000000001", 9_223_372_000_000_000_000),
    ("0.00000000000000000000000000000000017e41", 17_000_000_000_000_000),
  ])
  func `digits that no integer holds round at the tenth decimal`(_ text: String, _ expected: Int64)
  {
    #expect(nanoseconds(text) == expected)
  }

  @Test(arguments: [
    "9223372000.0000000005", "9223372001", "-9223372001", "1e10", "1e9999",
    "99999999999999999999", "9223372036.85477580799999",
  ])
  func `times beyond the years 1678 to 2262 are refused`(_ text: String) {
    #expect(nanoseconds(text) == nil)
  }

  @Test func `doubles are the nearest`() throws {
    let texts = texts(20_000, seed: 2)
    let answers = try judge("for text in texts: print(float(text).hex())", texts)
    for (text, answer) in zip(texts, answers) { #expect(double(text) == Double(answer), "\(text)") }
  }

  @Test(arguments: [
    "", "-", "+", ".", "e5", "1e", "1e+", "--1", "1-2", "1 ", " 1", "nan", "inf",
    "0x10", "1.2.3", "1e5.0", "1_000", "1e99999999999999999999", "1e999", "1,5",
    "12345678-", "1234567 8", "12345678.1234567/", "1234567:", "1234567\u{B0}", "123456789.1.2",
  ])
  func `refuses anything but a finite number`(_ text: String) {
    #expect(double(text) == nil)
    #expect(nanoseconds(text) == nil)
  }
}
