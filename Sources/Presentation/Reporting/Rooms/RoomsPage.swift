import Evaluation
import NumericalMethods
import Support
package import TracePipelines
package import TraceStore

/// The score of trained rooms as a page that needs nothing else: the methods, the confusion of rooms
/// and the calibration of their probabilities as pictures with their tables.
package struct RoomsPage {
  private let result: RoomEvaluationResult
  private let tool: ToolIdentity

  package init(_ result: RoomEvaluationResult, by tool: ToolIdentity) {
    (self.result, self.tool) = (result, tool)
  }

  /// The page; the same scores give the same bytes.
  package var text: String {
    var data = JSONWriter(escapes: .script)
    data.object { _ in }
    return ReportPage(
      version: tool.version, kicker: "Rooms",
      title: counted(result.recordings.count, "recording"),
      summary: "<p class=\"verdict\">\(verdict)</p>\n",
      sections: [methods, confusion, claims, PageSection.provenance(tool.commandLine)].compactMap(
        \.self),
      data: data, script: []
    ).text
  }

  private var trained: RoomScore? { result.scores.first?.score }

  private var verdict: String {
    guard let trained else { return "" }
    let percent = { decimal($0 * 100, 1) }
    let interval =
      trained.right.interval.interval.map {
        " (95\u{2009}% interval \(percent($0.lower)) to \(percent($0.upper)))"
      } ?? ""
    let others = result.scores.filter { $0.score.claims.isEmpty }.map { name, score in
      " \(name.withCapital): \(percent(score.right.value))\u{2009}%."
    }
    return
      "The announced room is right for \(percent(trained.right.value))\u{2009}% of the time\(interval), with \(decimal(trained.falseChanges.value, 0)) false changes per hour."
      + others.joined()
  }

  private var methods: PageSection {
    PageSection(
      name: "methods", heading: "Methods", short: "Methods",
      introduction:
        "Share of time in the right room, false changes and delays, with intervals over whole recordings.",
      content: RoomEvaluationReport.comparison(result.scores).html)
  }

  private var confusion: PageSection? {
    trained.map { score in
      PageSection(
        name: "confusion", heading: "Confusion", short: "Confusion",
        introduction: "Share of the time in each true room, by the room announced at that time.",
        content:
          "\(ConfusionPicture(score).html)<details><summary>As a table</summary>\(score.confusionTable.html)</details>\n"
      )
    }
  }

  private var claims: PageSection? {
    guard let trained, !trained.claims.isEmpty else { return nil }
    let marks: [HTML] = trained.claims.map { claim in
      let (x, y) = (ReliabilityChart.x(claim.claimed), ReliabilityChart.y(claim.share.value))
      let whisker: HTML =
        claim.share.interval.interval.map { ends in
          "<path class=\"curve c0\" d=\"M\(x) \(ReliabilityChart.y(ends.lower))V\(ReliabilityChart.y(ends.upper))\"/>"
        } ?? ""
      return "\(whisker)<circle class=\"point c0\" cx=\"\(x)\" cy=\"\(y)\" r=\"4.5\"/>"
    }
    let chart = ReliabilityChart.square(
      "Share of the claims that are true, over the claimed probability", x: "claimed, %",
      y: "true, %", "\(marks)")
    return PageSection(
      name: "claims", heading: "Calibration", short: "Calibration",
      introduction:
        "Claimed probabilities of all rooms in ten ranges, and the share of each that is true. Whiskers: simultaneous 95\u{2009}% intervals. Points below the diagonal are overconfident.",
      content: "\(chart)\(trained.claimTable.html)")
  }
}

/// The confusion of rooms as squares, darker for more time.
private struct ConfusionPicture {
  private let score: RoomScore
  private static let side = 46

  init(_ score: RoomScore) { self.score = score }

  var html: HTML {
    let columns = score.rooms + ["none"]
    let longest = columns.map(\.count).max() ?? 0
    let (left, top) = (min(200, 8 * longest + 16), min(150, 6 * longest + 16))
    let (width, height) = (
      left + Self.side * columns.count + 40, top + Self.side * score.visited.count + 10
    )
    let heads: [HTML] = columns.enumerated().map { column, name in
      "<text transform=\"translate(\(left + Self.side * column + Self.side / 2) \(top - 8)) rotate(-45)\">\(name)</text>"
    }
    let rows: [HTML] = score.visited.enumerated().map { place, room in
      let y = top + Self.side * place
      let total = score.confusion[room].reduce(0, +)
      let cells: [HTML] = columns.indices.map { column in
        cell(score.confusion[room][column] / total, x: left + Self.side * column, y: y)
      }
      return
        "<text x=\"\(left - 8)\" y=\"\(y + Self.side / 2)\" dy=\"0.35em\" text-anchor=\"end\">\(score.rooms[room])</text>\(cells)\n"
    }
    return """
      <div class="scroll"><svg class="chart confusion" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img" aria-label="Share of time per announced room, by true room">
      \(heads)
      \(rows)</svg></div>
      """
  }

  private func cell(_ share: Double, x: Int, y: Int) -> HTML {
    let label: HTML =
      share >= 0.005
      ? "<text x=\"\(x + Self.side / 2)\" y=\"\(y + Self.side / 2)\" dy=\"0.35em\" text-anchor=\"middle\"\(share > 0.5 ? " class=\"on\"" : "" as HTML)>\(decimal(share * 100, 0))</text>"
      : ""
    return
      "<rect x=\"\(x + 1)\" y=\"\(y + 1)\" width=\"\(Self.side - 2)\" height=\"\(Self.side - 2)\" fill-opacity=\"\(decimal(0.04 + 0.96 * share, 2))\"/>\(label)"
  }
}
