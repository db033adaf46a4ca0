import Geometry
import Testing

@testable import Reporting

@Suite("Heat maps")
struct HeatLayerTests {
  @Test func `a legend names every step with its ends and unit, and its ends are open`() {
    let layer = HeatLayer(
      name: "level of <b>", unit: "dBm", values: (0...100).map { -90 + 0.3 * Double($0) })
    let text = layer.legend.text
    #expect(text.contains("level of &lt;b&gt;"))
    #expect(text.contains("below −85 dBm"))
    #expect(text.contains("−80 to −75 dBm") && text.contains("−65 dBm and more"))
  }

  @Test func `dark is low, or high where low values are good`() throws {
    let values = (0...100).map(Double.init)
    let rising = HeatLayer(name: "a", unit: "m", values: values).legend.text
    let falling = HeatLayer(name: "a", unit: "m", values: values, isLowBright: true).legend.text
    // The highest step is on top.
    let first = try #require(rising.firstMatch(of: #/class="(v\d)"/#)).1
    #expect(first == "v7")
    #expect(try #require(falling.firstMatch(of: #/class="(v\d)"/#)).1 == "v0")
  }

  @Test func `numbers that are all the same, and one number, make one step`() {
    for values in [[3.0], [Double](repeating: 2, count: 50), [.nan, 7, .nan]] {
      #expect(HeatLayer(name: "a", unit: "m", values: values).legend.text.contains(" m"))
    }
  }
}
