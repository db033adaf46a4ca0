import Evaluation
import Geometry
import Positioning
import Support

/// The errors of one algorithm trace by trace: boxes from the first to the third quartile with the
/// median, whiskers from the 5th to the 95th percentile.
struct TraceBoxes {
  private struct Row {
    var name: String
    /// Percentiles 5, 25, 50, 75 and 95, in metres.
    var quantiles: [Double]
  }

  private let algorithm: String
  /// The unit of a row, such as `place`.
  private let unit: String
  private let place: Int
  private let rows: [Row]
  private let upper: Double

  /// More rows cannot be read.
  private static let mostTraces = 40

  /// Nil for fewer than two traces with answers, or too many.
  init?(_ document: EvaluationDocument) {
    guard let best = document.ranked.first else { return nil }
    (algorithm, place) = (best.name, best.place)
    unit = document.settings.resampled.name
    rows = zip(document.traces, best.answers.outcomes).compactMap { trace, outcomes in
      let errors = zip(trace.questions, outcomes).compactMap { question, outcome in
        outcome.estimate?.position.distance(to: question.truth)
      }
      let sample = SortedSample(errors)
      let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].compactMap { sample.quantile($0) }
      return quantiles.count == 5 ? Row(name: trace.name, quantiles: quantiles) : nil
    }
    guard (2...Self.mostTraces).contains(rows.count) else { return nil }
    upper = NiceScale.ceiling(max(rows.map { $0.quantiles[4] }.max() ?? 1, 1e-3))
  }

  private func x(_ error: Double) -> String { decimal(190 + 690 * min(error / upper, 1), 1) }

  var html: HTML {
    let height = 24 * rows.count + 20
    let step = NiceScale.step(upper, atMost: 10)
    let ticks: [HTML] = NiceScale.ticks(to: upper, atMost: 10).map { tick in
      "<line class=\"grid\" x1=\"\(x(tick))\" x2=\"\(x(tick))\" y1=\"10\" y2=\"\(height - 10)\"/><text x=\"\(x(tick))\" y=\"\(height + 8)\" text-anchor=\"middle\">\(NiceScale.label(tick, step: step))</text>"
    }
    let boxes: [HTML] = rows.enumerated().map { index, row in
      let middle = 22 + 24 * index
      let q = row.quantiles
      let name = row.name.count <= 22 ? row.name : row.name.prefix(10) + "…" + row.name.suffix(10)
      let width = decimal(690 * (min(q[3] / upper, 1) - min(q[1] / upper, 1)), 1)
      return """
        <g><title>\(row.name): median \(decimal(q[2], 2)) m, half within \(decimal(q[1], 2)) to \(decimal(q[3], 2)) m</title>\
        <text x="180" y="\(middle)" dy="0.35em" text-anchor="end">\(name)</text>\
        <line class="whiskers" x1="\(x(q[0]))" x2="\(x(q[4]))" y1="\(middle)" y2="\(middle)"/>\
        <rect class="box" x="\(x(q[1]))" y="\(middle - 7)" width="\(width)" height="14"/>\
        <line class="median" x1="\(x(q[2]))" x2="\(x(q[2]))" y1="\(middle - 8)" y2="\(middle + 8)"/></g>

        """
    }
    return """
      <figure class="boxes \(PagePalette.colourClass(place))"><figcaption>\(HTML.name(algorithm)): median, quartiles, and the 5th to the 95th percentile of its errors in each \(unit)</figcaption>
      <svg class="chart" viewBox="0 0 900 \(height + 38)" role="img" aria-label="Errors \(unit) by \(unit)">
      \(ticks)\(boxes)<text x="535" y="\(height + 30)" text-anchor="middle">error in metres</text></svg></figure>

      """
  }
}
