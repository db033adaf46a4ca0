import Evaluation
import NumericalMethods
import Support

/// The common scale of small pictures of a figure with its interval, one in each line of a table.
struct WhiskerAxis {
  let upper: Double
  private static let width = 200.0

  /// Up to the widest interval, but not so far that one wild algorithm presses the others together.
  init(_ values: [(value: Double, interval: Interval?)]) {
    let middle = SortedSample(values.map(\.value)).quantile(0.5) ?? 1
    let widest =
      values.map { max($0.value, $0.interval?.upper ?? $0.value) }.filter(\.isFinite).max() ?? 1
    upper = NiceScale.ceiling(min(widest, 3 * max(middle, 1e-3)))
  }

  init(upper: Double) { self.upper = upper }

  var label: String { decimal(upper, upper < 1 ? 2 : upper < 10 ? 1 : 0) }

  /// Returns a dot for the figure and a line for its interval; an arrow if they are beyond the
  /// scale.
  func whisker(_ value: Double?, _ interval: Interval?, place: Int, reference: Double? = nil)
    -> HTML
  {
    let mark: HTML =
      reference.map {
        "<line class=\"reference\" x1=\"\(x($0))\" x2=\"\(x($0))\" y1=\"1\" y2=\"19\"/>"
      } ?? ""
    let line: HTML =
      interval.map { range in
        range.lower > upper
          ? ""
          : "<line class=\"range\" x1=\"\(x(range.lower))\" x2=\"\(x(range.upper))\" y1=\"10\" y2=\"10\"/>"
      } ?? ""
    let dot: HTML =
      value.map { value in
        value > upper || !value.isFinite
          ? "<path class=\"dot\" d=\"M194 5 l6 5 l-6 5 z\"/>"
          : "<circle class=\"dot\" cx=\"\(x(value))\" cy=\"10\" r=\"4.5\"/>"
      } ?? ""
    return """
      <svg class="whisker \(PagePalette.colourClass(place))" viewBox="-6 0 212 20" aria-hidden="true">\
      <line class="scale" x1="0" x2="200" y1="10" y2="10"/>\(mark)\(line)\(dot)</svg>
      """
  }

  private func x(_ value: Double) -> String {
    decimal(min(max(value / upper, 0), 1) * Self.width, 1)
  }
}
