import Foundation
import Geometry
import Support
import TestSupport
import Testing

@testable import Reporting

struct TextTests {
  @Test(arguments: [
    (0.125, 2, "0.13"), (-0.125, 2, "-0.13"), (-0.004, 2, "0.00"), (0, 2, "0.00"),
    (1234.5, 0, "1235"),
    (0.05, 1, "0.1"), (12, 3, "12.000"), (1e300, 2, "1e+300"), (.nan, 2, "–"),
    (.infinity, 2, "–"),
  ])
  func `numbers have a fixed count of decimals, half away from zero, and no negative zero`(
    value: Double, places: Int, expected: String
  ) {
    #expect(decimal(value, places) == expected)
  }

  @Test func `decimals are those of C's printf where there is no tie`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let value = Double.random(in: -1000...1000, using: &random)
      #expect(
        decimal(value, 4) == String(format: "%.4f", value).replacing(/^-(0\.0*)$/, with: { $0.1 }))
    }
  }

  @Test func `whole numbers are in groups from five digits on`() {
    #expect(
      [7, 1234, 12345, -1_234_567].map(grouped) == [
        "7", "1234", "12\u{2009}345", "-1\u{2009}234\u{2009}567",
      ])
  }

  @Test(arguments: [
    "=1+1", "+x", "-5-9", "@x", "-inf", "\tx", "'=1", "''-1", "'quoted'", "plain", "", "'",
  ])
  func `a field is guarded against being a formula only where readers need it`(text: String) {
    let field = CSV.text(text)
    #expect(!["=", "+", "-", "@", "\t"].contains(field.prefix(1)))
    let bytes = Array(field.utf8)
    let read = CSV.isGuarded(bytes.span) ? String(field.dropFirst()) : field
    #expect(read == text)
  }

  @Test func `numbers are not guarded`() {
    #expect(["-59", "+1.5e-3", "-.5"].map(CSV.text) == ["-59", "+1.5e-3", "-.5"])
  }

  @Test func `interpolated texts are escaped, markup is not`() {
    let name = "<b>\"'&\u{0}"
    let html: HTML = "<i>\(name)</i>\(HTML.name("x"))"
    #expect(html.text == "<i>&lt;b&gt;&quot;&#39;&amp;\u{FFFD}</i><bdi>x</bdi>")
  }

  @Test func `embedded JSON is JSON, and cannot end a script`() throws {
    for name in Hostile.names {
      var json = JSONWriter(escapes: .script)
      json.array {
        $0.string(name)
        $0.integer(-5)
        $0.null()
        $0.boolean(true)
      }
      #expect(!json.text.contains("<") && !json.text.contains("&"))
      let list = try #require(
        try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [Any])
      #expect(list.count == 4)
      #expect(list[0] as? String == name.replacing("\u{FFFF}", with: "\u{FFFD}"))
    }
  }

  @Test func `addresses are what encodeURIComponent makes of names`() {
    let address = PlanAddress(
      trace: "walk 1&/é", algorithm: "weighted-centroid:degree=2", epoch: 12)
    #expect(
      address.fragment
        == "#trace=walk%201%26%2F%C3%A9&algorithm=weighted-centroid%3Adegree%3D2&epoch=12")
  }

  @Test func `axes have round numbers`() {
    #expect(
      [0.37, 1, 1.01, 9.9, 34, 0.0042].map { decimal(NiceScale.ceiling($0), 4) }
        == ["0.4000", "1.0000", "1.2000", "10.0000", "35.0000", "0.0045"])
    #expect(NiceScale.ticks(to: 2, atMost: 10).count == 11)
    #expect(NiceScale.step(7, atMost: 12) == 1)
  }
}
