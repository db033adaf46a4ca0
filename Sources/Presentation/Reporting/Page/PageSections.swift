import Evaluation
import Geometry
import Positioning
import Support

/// The sections of the page, in order; empty ones are left out.
final class PageSections {
  let document: EvaluationDocument
  let errors: [AnswerErrors]
  /// The number of questions per question on the floor plan.
  let stride: Int

  init(_ document: EvaluationDocument, errors: [AnswerErrors], stride: Int) {
    self.document = document
    self.errors = errors
    self.stride = stride
  }

  var all: [PageSection] {
    [
      plan, distributions, leaderboard, changes, comparisons, matched, claims, efficiency, worst,
      refusals, vectors, zones, floors, perTrace, standard, calibration, provenance,
    ].compactMap(\.self).map { section in
      var section = section
      section.isFolded = Self.folded.contains(section.name)
      return section
    }
  }

  /// Sections that few readers need, by name.
  private static let folded: Set = [
    "comparisons", "matched", "claims", "efficiency", "worst", "refusals", "errors", "zones",
    "floors",
    "traces", "standard", "calibration", "provenance",
  ]

  /// The unit that intervals resample, such as `place`.
  private var unit: String { document.settings.resampled.name }

  private var leaderboard: PageSection {
    PageSection(
      name: "leaderboard", heading: "Leaderboard", short: "Leaderboard",
      introduction:
        "Errors of answered epochs, so read them with the share that was answered. Intervals: bootstrap over whole \(document.units), because epochs within a \(unit) are not independent.",
      content: document.leaderboardTable.html)
  }

  private var matched: PageSection? {
    guard document.leaderboard.scores.count > 1 else { return nil }
    let remark: HTML = document.matchedRemark.map { "<p class=\"remark\">\($0.html)</p>\n" } ?? ""
    return PageSection(
      name: "matched", heading: "At common epochs", short: "Common epochs",
      introduction:
        "An algorithm that refuses hard epochs looks too good. This table has only epochs that all of these answered.",
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
        "Effect: the typical change of the \(changes.figure.rawValue) error per \(unit), in metres. \(document.units.withCapital) of the same name are paired.",
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
        "Effect: the second's \(document.leaderboard.figure.rawValue) error minus the first's in a typical \(unit), in metres. Significant: adjusted p of at most \(decimal(document.leaderboard.verdict.level, 2)).",
      content: "\(table.html)\(pairs)\(document.mixedTable?.html ?? "")")
  }

  private var claims: PageSection? {
    let tables = [document.claimsTable, document.withoutCovarianceTable].compactMap { $0?.html }
    guard !tables.isEmpty else { return nil }
    return PageSection(
      name: "claims", heading: "Claimed uncertainty", short: "Claims",
      introduction:
        "Coverage of the ellipses that algorithms claim. Curves below the diagonal are overconfident.",
      content: "\(ReliabilityChart(document)?.html ?? "")\(tables)")
  }

  private var efficiency: PageSection? {
    document.efficiencyTable.map { table in
      PageSection(
        name: "efficiency", heading: "Efficiency", short: "Efficiency",
        introduction:
          "Efficiency: Cramér–Rao lower bound over mean square error, for unbiased estimates from one epoch's levels. It exceeds 1 if an algorithm knows more: the past, rooms, a survey, or silence.",
        content: table.html)
    }
  }

  private var refusals: PageSection {
    PageSection(
      name: "refusals", heading: "Refusals", short: "Refusals",
      introduction: document.refusalTable == nil
        ? "Every algorithm answered every epoch." : "Epochs without a position, by reason.",
      content: "\([document.refusalTable, document.leftOutTable].compactMap { $0?.html })")
  }

  private var vectors: PageSection {
    PageSection(
      name: "errors", heading: "Bias, scatter and age", short: "Bias",
      introduction: "Direction and scatter of errors, and age of answers.",
      content: document.vectorTable.html)
  }

  private var zones: PageSection? {
    confusion(
      "zones", "Zones", "Share of estimates in the zone of the truth.",
      document.zoneTables.map { [$0] })
  }

  private var floors: PageSection? {
    confusion(
      "floors", "Floors",
      "Share of estimates on the floor of the truth, and of claims that are right.",
      document.floorTables)
  }

  /// The tables of each algorithm, those of the first open; nil without tables.
  private func confusion(
    _ name: String, _ heading: String, _ introduction: HTML, _ tables: [[ReportTable]]
  ) -> PageSection? {
    guard !tables.isEmpty else { return nil }
    return PageSection(
      name: name, heading: heading, short: heading, introduction: introduction,
      content:
        "\(tables.enumerated().map { index, tables in index == 0 ? "\(tables.map(\.html))" : "<details><summary>\(tables[0].caption)</summary>\(tables.map(\.html))</details>\n" as HTML })"
    )
  }

  private var perTrace: PageSection? {
    document.traceTable.map { table in
      PageSection(
        name: "traces", heading: "\(unit.withCapital) by \(unit)",
        short: document.units.withCapital,
        introduction: "The variation between \(document.units) determines the intervals.",
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
      introduction: "The command and the inputs of this page. The same input gives the same bytes.",
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
      introduction:
        "The same figures under the names of ISO/IEC 18305 and of the EvAAL competitions.",
      content: document.standardTable.html)
  }
}

extension PageSections {
  /// The number of curves shown at first: more are hard to distinguish.
  static let firstCurves = 6

  /// The sentence on the bands of the distributions.
  private var bands: HTML {
    let hasBands = errors.contains { one in
      one.one.score.distribution?.points.first?.interval.interval != nil
    }
    return hasBands
      ? "Bands: 95\u{2009}% intervals of the share at each length, over \(document.units), not of a whole curve at once."
      : "No bands: too few \(document.units)."
  }

  var distributions: PageSection {
    let choices: [HTML] = errors.map { one in
      let place = one.one.place
      let checked: HTML = place < Self.firstCurves ? " checked" : ""
      return """
        <li><label><input type="checkbox" class="curve-choice" value="\(place)"\(checked)>\
        \(PagePalette.swatch(place)) \(HTML.name(one.one.name))</label> <output class="share" data-algorithm="\(place)"></output></li>

        """
    }
    let more: HTML =
      errors.count > Self.firstCurves
      ? "<p class=\"remark script-only\">At first the best \(Self.firstCurves) are shown; tick others to see them.</p>\n"
      : ""
    return PageSection(
      name: "distributions", heading: "Error distributions", short: "Distributions",
      introduction:
        "Share of all epochs with an error below each length. A curve that ends below 100\u{2009}% leaves epochs unanswered. \(bands)",
      content: """
        <div class="controls script-only">
        <fieldset><legend>Scale</legend>\
        <label><input type="radio" name="scale" value="0" checked> linear</label>
        <label><input type="radio" name="scale" value="1"> logarithmic</label></fieldset>
        <label class="wide">Within <output id="cursor-length">–</output> <input type="range" id="cursor" min="0" max="1000" value="0" aria-label="Length of the error"></label>
        </div>
        <div class="split"><figure>
        \(DistributionChart(errors, isLogarithmic: false).html)\(DistributionChart(errors, isLogarithmic: true).html)</figure>
        <ul class="legend">
        \(choices)</ul></div>
        \(more)
        """)
  }

  /// The worst answers, each a link to the floor plan.
  var worst: PageSection? {
    let rows: [HTML] = errors.flatMap { one in one.worst.map { row(one, $0) } }
    guard !rows.isEmpty else { return nil }
    return PageSection(
      name: "worst", heading: "Worst answers", short: "Worst",
      introduction: "The answers farthest from the truth, with links to the floor plan.",
      content: """
        <p class="controls script-only"><label>Algorithm <select id="worst-choice"><option value="">all</option>\(options)</select></label></p>
        <div class="scroll" role="region" tabindex="0" aria-label="Worst answers">
        <table class="sortable" id="worst-table"><caption>The worst answers of each algorithm</caption>
        <thead><tr><th scope="col" class="text">algorithm</th><th scope="col" class="text">\(document.settings.resampled.name)</th><th scope="col" class="number">epoch</th>\
        <th scope="col" class="number">error, m</th><th scope="col" class="number">truth x, y</th><th scope="col" class="number">estimate x, y</th>\
        <th scope="col" class="number">anchors heard</th></tr></thead>
        <tbody>
        \(rows)</tbody></table></div>

        """)
  }

  private func row(_ one: AnswerErrors, _ place: AnswerErrors.Place) -> HTML {
    let trace = document.traces[place.trace]
    let question = trace.questions[place.question]
    let estimate = one.one.answers.outcomes[place.trace][place.question].estimate
    let address = PlanAddress(trace: trace.name, algorithm: one.one.name, epoch: place.question + 1)
    return """
      <tr data-algorithm="\(one.one.place)"><th scope="row" class="text">\(PagePalette.swatch(one.one.place))\(HTML.name(one.one.name))</th>\
      <td class="text">\(HTML.name(trace.name))</td>\
      <td class="number" data-order="\(place.question + 1)"><a href="\(address.fragment)">\(grouped(place.question + 1))</a></td>\
      <td class="number" data-order="\(decimal(place.error, 4))">\(decimal(place.error, 2))</td>\
      <td class="number">\(name(ofFloor: question.truthFloor))\(decimal(question.truth.x, 2)), \(decimal(question.truth.y, 2))</td>\
      <td class="number">\(name(ofFloor: estimate?.floor))\(decimal(estimate?.position.x, 2)), \(decimal(estimate?.position.y, 2))</td>\
      <td class="number" data-order="\(question.anchors)">\(question.anchors)</td></tr>

      """
  }

  /// Returns the name of a floor before a place on it; empty outside of a building.
  private func name(ofFloor floor: Int?) -> String {
    floor.flatMap { document.site.floors.indices.contains($0) ? document.site.floors[$0] : nil }
      .map { $0 + ": " } ?? ""
  }

  /// The algorithms as choices, by their places.
  var options: [HTML] {
    errors.map { "<option value=\"\($0.one.place)\">\($0.one.name)</option>" }
  }
}
