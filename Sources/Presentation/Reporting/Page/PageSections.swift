import Evaluation
import Support

/// The sections of the page, in order; those with nothing to state are left out.
struct PageSections {
  let document: EvaluationDocument
  let errors: [AnswerErrors]
  /// The floor plan shows one of so many questions.
  let stride: Int

  init(_ document: EvaluationDocument, errors: [AnswerErrors], stride: Int) {
    self.document = document
    self.errors = errors
    self.stride = stride
  }

  var all: [PageSection] {
    [
      leaderboard, changes, matched, comparisons, distributions, plan, worst, claims, efficiency,
      refusals,
      vectors, zones, perTrace, standard, calibration, provenance,
    ].compactMap(\.self).map { section in
      var section = section
      section.isFolded = Self.folded.contains(section.name)
      return section
    }
  }

  /// Sections that few readers need, by name.
  private static let folded: Set = [
    "efficiency", "refusals", "errors", "zones", "traces", "standard", "calibration",
  ]

  /// What intervals draw, such as `place`.
  private var unit: String { document.settings.resampled.name }

  private var leaderboard: PageSection {
    PageSection(
      name: "leaderboard", heading: "Leaderboard", short: "Leaderboard",
      introduction:
        "Errors are distances in the plane over answered questions, so read them beside the share that was answered. Intervals draw whole \(document.units) again; neighbouring questions of a \(unit) are no independent trials.",
      content: document.leaderboardTable.html)
  }

  private var matched: PageSection? {
    guard document.leaderboard.scores.count > 1 else { return nil }
    let remark: HTML = document.matchedRemark.map { "<p class=\"remark\">\($0.html)</p>\n" } ?? ""
    return PageSection(
      name: "matched", heading: "At common questions", short: "Common questions",
      introduction:
        "An algorithm that refuses the hard questions looks better than it is. Here all are judged by the same questions.",
      content: "\(document.matchedTable?.html ?? "")\(remark)")
  }

  private var changes: PageSection? {
    guard let table = document.changeTable, let changes = document.changes else { return nil }
    let others = [
      ("Only there", changes.onlyBefore), ("Only here", changes.onlyNow),
    ].filter { !$0.1.isEmpty }.map { words, names -> HTML in
      "<p class=\"remark\">\(words): \(names.joined(separator: ", ")).</p>\n"
    }
    return PageSection(
      name: "changes", heading: "Since an earlier evaluation", short: "Changes",
      introduction:
        "The effect is how much larger the \(changes.figure.rawValue) error of a \(unit) is now, in metres: negative where an algorithm became better. \(document.units.withCapital) of the same name are paired.",
      content: "\(table.html)\(others)")
  }

  private var comparisons: PageSection? {
    guard let table = document.comparisonTable else { return nil }
    let pairs: HTML =
      document.allPairsTable.map { "<details><summary>Every pair</summary>\($0.html)</details>\n" }
      ?? ""
    return PageSection(
      name: "comparisons", heading: "Comparisons", short: "Comparisons",
      introduction:
        "The effect is how much larger the second's \(document.leaderboard.figure.rawValue) error is in a \(unit), in metres: positive where the first is better. A difference counts where the adjusted p is at most \(decimals(document.leaderboard.verdict.level, 2)).",
      content: "\(table.html)\(pairs)")
  }

  private var claims: PageSection? {
    let tables = [document.claimsTable, document.withoutCovarianceTable].compactMap { $0?.html }
    guard !tables.isEmpty else { return nil }
    return PageSection(
      name: "claims", heading: "Claimed uncertainty", short: "Claims",
      introduction:
        "An answer's covariance claims an ellipse that holds the truth with a probability. On the thin lines the claim is kept; curves below the diagonal, and dots to the left of their line, are overconfident.",
      content: "\(ReliabilityChart(document)?.html ?? "")\(tables)")
  }

  private var efficiency: PageSection? {
    document.efficiencyTable.map { table in
      PageSection(
        name: "efficiency", heading: "Against the bound", short: "Bound",
        introduction:
          "The Cramér–Rao bound is the least RMS error of an unbiased answer from one epoch's levels alone. More than 1 is no mistake where an algorithm knows more: the past, rooms, a survey, or silence.",
        content: table.html)
    }
  }

  private var refusals: PageSection {
    PageSection(
      name: "refusals", heading: "Refusals", short: "Refusals",
      introduction: document.refusalTable == nil
        ? "Every algorithm answered every question." : "Questions that got no position, and why.",
      content: "\([document.refusalTable, document.leftOutTable].compactMap { $0?.html })")
  }

  private var vectors: PageSection {
    PageSection(
      name: "errors", heading: "Bias, scatter and age", short: "Bias",
      introduction: "Where errors point, how they scatter, and how old answers are.",
      content: document.vectorTable.html)
  }

  private var zones: PageSection? {
    let tables = document.zoneTables
    guard !tables.isEmpty else { return nil }
    return PageSection(
      name: "zones", heading: "Zones", short: "Zones",
      introduction: "How often the estimate is in the zone where the truth is.",
      content:
        "\(tables.enumerated().map { index, table in index == 0 ? table.html : "<details><summary>\(table.caption)</summary>\(table.html)</details>\n" as HTML })"
    )
  }

  private var perTrace: PageSection? {
    document.traceTable.map { table in
      PageSection(
        name: "traces", heading: "\(unit.withCapital) by \(unit)",
        short: document.units.withCapital,
        introduction: "What varies from \(unit) to \(unit) is what the intervals are made of.",
        content: "\(TraceBoxes(document)?.html ?? "")\(table.html)")
    }
  }

  private var calibration: PageSection? {
    document.calibrationTable.map { table in
      PageSection(
        name: "calibration", heading: "Calibration", short: "Calibration",
        introduction: document.separationSentence.html, content: table.html)
    }
  }

  private var provenance: PageSection {
    PageSection(
      name: "provenance", heading: "Provenance", short: "Provenance",
      introduction: "What this page was made with: the same input gives the same bytes.",
      content: """
        <pre class="command"><code>\(document.provenance.commandLine)</code></pre>
        \(document.settingsTable.html)\(document.inputTable.html)
        """)
  }
}

extension PageSections {
  private var standard: PageSection {
    PageSection(
      name: "standard", heading: "ISO/IEC 18305 and EvAAL", short: "Standards",
      introduction: "The same figures under the names of the standard and of the competitions.",
      content: document.standardTable.html)
  }
}
