package import Evaluation

/// An evaluation as Markdown: the tables of a README or a paper.
package struct MarkdownReport {
  private let document: EvaluationDocument

  package init(_ document: EvaluationDocument) { self.document = document.joiningEqualAlgorithms() }

  /// The same document gives the same bytes.
  package var text: String {
    var parts = ["# \(Markdown.escaped(document.title))"]
    let separation = document.separationSentence.markdown
    let isInSample = document.settings.separation == .inSample
    if isInSample { parts.append("> **\(separation)**") }
    parts.append(document.verdictSentence.markdown)
    parts += document.verdictRemarks.map(\.markdown)
    if !isInSample { parts.append(separation) }
    add("Leaderboard", document.leaderboardTable, to: &parts)
    add("At common epochs", document.matchedTable, to: &parts)
    if document.leaderboard.scores.count > 1, let remark = document.matchedRemark {
      parts.append(remark.markdown)
    }
    add("Since an earlier evaluation", document.changeTable, to: &parts)
    add("Comparisons", document.comparisonTable, to: &parts)
    add("Over devices and sites", document.mixedTable, to: &parts)
    add("Claimed uncertainty", document.claimsTable, to: &parts)
    add("Efficiency", document.efficiencyTable, to: &parts)
    for (index, table) in document.floorTables.joined().enumerated() {
      add(index == 0 ? "Floors" : nil, table, to: &parts)
    }
    add("Refusals", document.refusalTable, to: &parts)
    add("Members left out", document.leftOutTable, to: &parts)
    add("Bias, scatter and age", document.vectorTable, to: &parts)
    add("ISO/IEC 18305 and EvAAL", document.standardTable, to: &parts)
    add("Calibration", document.calibrationTable, to: &parts)
    add("Provenance", document.settingsTable, to: &parts)
    parts.append(Self.code(document.provenance.commandLine))
    if !document.provenance.inputs.isEmpty {
      parts.append(document.inputTable.markdown.withoutLastLineEnd)
    }
    parts.append("Made by rssi \(Markdown.escaped(document.provenance.version)).")
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func add(_ heading: String?, _ table: ReportTable?, to parts: inout [String]) {
    guard let table else { return }
    if let heading { parts.append("## \(heading)") }
    parts.append(Markdown.escaped(table.caption) + ".")
    parts.append(table.markdown.withoutLastLineEnd)
  }

  /// A block of code whose fence is longer than any in it.
  private static func code(_ text: String) -> String {
    var (longest, run) = (0, 0)
    for character in text {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)sh\n\(text)\n\(fence)"
  }
}

extension String {
  fileprivate var withoutLastLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
