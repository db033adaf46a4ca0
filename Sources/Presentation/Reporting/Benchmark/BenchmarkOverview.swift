import Evaluation
import Glibc
import NumericalMethods
package import Support
package import TracePipelines
package import TraceStore

/// The leaderboards of several sets side by side, for a page, Markdown, JSON and a terminal.
///
/// The same sets and programs give the same bytes; computing times are in ``times`` alone.
package struct BenchmarkOverview {
  private let sets: [BenchmarkedSet]
  private let tool: ToolIdentity
  private let command: String
  private let peers: Set<String>

  /// - Parameter command: the command that made the overview.
  package init(_ sets: [BenchmarkedSet], by tool: ToolIdentity, command: String) {
    (self.sets, self.tool, self.command) = (sets, tool, command)
    peers = sets.reduce(into: []) { $0.formUnion($1.peers) }
  }

  /// Returns the algorithms in ascending order of the typical ratio of their median to the smallest
  /// of each set; those that answered nothing come last.
  private static func names(in sets: [BenchmarkedSet]) -> [String] {
    var sums: [String: (logarithms: Double, sets: Double)] = [:]
    for set in sets {
      let medians = set.leaderboard.scores.map {
        (name: $0.name, median: max($0.statistics.errors?.median ?? 1e6, 1e-3))
      }
      let least = medians.map(\.median).min() ?? 1
      for (name, median) in medians {
        sums[name, default: (0, 0)].logarithms += log(median / least)
        sums[name]?.sets += 1
      }
    }
    let typical = sums.mapValues { $0.logarithms / $0.sets }
    return typical.keys.sorted { one, other in
      let (first, second) = (typical[one] ?? 0, typical[other] ?? 0)
      return first == second ? one < other : first < second
    }
  }

  // MARK: Tables

  /// The median of each algorithm in each set with its interval: a table for each quantity.
  var tables: [ReportTable] {
    BenchmarkRecipe.Quantity.allCases.compactMap { quantity in
      let sets = sets.filter { $0.recipe.quantity == quantity }
      return sets.isEmpty ? nil : table(sets, of: quantity)
    }
  }

  private func table(
    _ sets: [BenchmarkedSet], of quantity: BenchmarkRecipe.Quantity
  ) -> ReportTable {
    let error = quantity == .positions ? "horizontal error" : "error of the distance"
    var columns: [ReportTable.Column<String>] = [
      .text("algorithm", onTerminal: "median \(error) in m", least: 16) { [peers] name in
        var cell = ReportTable.Cell.name(name)
        if peers.contains(name) { cell.remark = "peer" }
        return cell
      }
    ]
    for (number, set) in sets.enumerated() {
      columns.append(
        .text(set.recipe.name, set.recipe.title, rank: number < 2 ? 0 : number) { set.cell($0) })
    }
    return ReportTable(
      "Median of the \(error) in metres with its 95 % interval", of: Self.names(in: sets), columns)
  }

  private var setTable: ReportTable {
    ReportTable(
      "The sets", of: sets, isSortable: false,
      [
        .text("set") { .name($0.recipe.name) }, .text("recordings") { .text($0.recipe.title) },
        .text("question") { .text($0.recipe.question) },
        .number("epochs") { .count($0.leaderboard.scores.first?.statistics.asked) },
        .text("source") { .text($0.recipe.source) }, .text("licence") { .text($0.recipe.licence) },
        .text("files") { .text($0.recipe.isVerified ? "verified" : "unverified") },
      ])
  }

  /// The peers whose median is smaller than that of the best algorithm of this toolkit.
  private var peersAhead: [Sentence] { sets.flatMap(\.peersAhead) }

  // MARK: Forms

  /// A page that needs nothing else, beside the pages of the sets.
  package var page: String {
    var data = JSONWriter(escapes: .script)
    data.object { _ in }
    func list(_ sentences: [Sentence]) -> HTML {
      "<ul>\(sentences.map { "<li>\($0.html)</li>\n" as HTML })</ul>\n"
    }
    let ahead = peersAhead
    let links = sets.map { set -> HTML in
      "<li><a href=\"\(set.recipe.name).html\">\(set.recipe.name)</a></li>\n"
    }
    return ReportPage(
      version: tool.version, kicker: "Benchmark",
      title:
        "\(counted(Self.names(in: sets).count, "algorithm")) on \(counted(sets.count, "public set"))",
      summary: "<p class=\"verdict\">\(verdict.html)</p>\n",
      sections: [
        PageSection(
          name: "peers", heading: "Peers ahead", short: "Peers",
          introduction:
            "Programs of others whose median error is smaller than that of the best algorithm of rssi.",
          content: ahead.isEmpty ? "<p>None.</p>\n" : list(ahead)),
        PageSection(
          name: "overview", heading: "Overview", short: "Overview",
          introduction:
            "Bold: the smallest median of a set among causal algorithms that answer often enough. Tinted: no significant difference from it. Grey: significantly larger, rarely answered, or hindsight.",
          content: "\(tables.map(\.html))"),
        PageSection(
          name: "deploy", heading: "What to deploy", short: "Deploy",
          introduction: "The algorithm for each set, and those that are as good.",
          content: list(sets.map(\.advice))),
        PageSection(
          name: "sets", heading: "Sets", short: "Sets",
          introduction: "Verified: each published file has the digest of the recipe.",
          content: "\(setTable.html)<ul>\(links)</ul>\n"),
        PageSection.provenance(command),
      ],
      data: data, script: []
    ).text
  }

  /// Tables of a README.
  package var markdown: String {
    let ahead = peersAhead.map { "- \($0.markdown)\n" }.joined()
    let advice = sets.map { "- \($0.advice.markdown)\n" }.joined()
    return """
      \(ahead.isEmpty ? "No peer has a smaller median error.\n" : "Peers ahead:\n\n" + ahead)
      Bold: the smallest of a set; italic: no significant difference from it.

      \(tables.map { "\(Markdown.escaped($0.caption)):\n\n\($0.markdown)" }.joined(separator: "\n"))
      \(advice)
      """
  }

  /// The text for a terminal.
  package var text: TextReport {
    var report = TextReport()
    for table in tables {
      report.add(table: table)
      report.add("\n")
    }
    for sentence in peersAhead { report.add("peer ahead: \(sentence.text)\n") }
    for set in sets { report.add(set.advice.text + "\n") }
    return report
  }

  package var json: JSONValue {
    ["version": tool.version, "sets": sets.map(\.json)]
  }

  /// The computing times of each algorithm in each set.
  package var times: JSONValue {
    [
      "sets": sets.map { set -> JSONValue in
        [
          "name": set.recipe.name,
          "algorithms": set.times.map { time -> JSONValue in
            [
              "name": time.name, "answers": time.answers, "seconds": time.seconds,
              "seconds_per_answer": time.answers > 0 ? time.seconds / Double(time.answers) : nil,
            ]
          },
        ]
      }
    ]
  }

  private var verdict: Sentence {
    let first = sets.compactMap { $0.leaderboard.verdict.best.first }
    let led = first.count { !peers.contains($0) }
    return "An algorithm of rssi has the smallest median error on \(led) of \(first.count) sets."
  }
}

extension BenchmarkedSet {
  private var board: Leaderboard { leaderboard }

  private func score(_ name: String) -> Score? { board.scores.first { $0.name == name } }

  /// The place of an algorithm against the best of the set.
  private func standing(_ name: String) -> ReportTable.Cell.Standing {
    let best = board.verdict.best
    return best.first == name ? .best : best.contains(name) ? .tied : .behind
  }

  fileprivate func cell(_ name: String) -> ReportTable.Cell {
    guard let score = score(name) else { return .text("–") }
    var cell = ReportTable.Cell.text(size(of: score) ?? "no answer")
    cell.standing = standing(name)
    let share = score.statistics.availability
    var remarks = share < 0.995 ? ["\(percent(share)) answered"] : []
    if case .distances(let distances) = evaluation, let figures = distances.figures[name] {
      remarks += figures.factor.map { ["× \(decimal($0, 2))"] } ?? []
      remarks += figures.coverage.map { ["covers \(percent($0.share))"] } ?? []
    }
    if let floors = score.floors?.all.rate { remarks.append("floor \(percent(floors))") }
    if board.verdict.withHindsight.contains(name) { remarks.append("hindsight") }
    cell.remark = remarks.isEmpty ? nil : remarks.joined(separator: ", ")
    return cell
  }

  /// The median with its interval, as in "0.79 (0.59–1.06)".
  private func size(of score: Score) -> String? {
    score.statistics.errors.map { errors in
      decimal(errors.median, 2)
        + (score.intervals.median.interval.map {
          " (\(decimal($0.lower, 2))–\(decimal($0.upper, 2)))"
        } ?? "")
    }
  }

  /// The algorithm to deploy, and those that are as good.
  fileprivate var advice: Sentence {
    guard let first = board.verdict.best.first, let score = score(first),
      let size = size(of: score)
    else { return "\(recipe.name): no algorithm answered." }
    let tied = Array(board.verdict.best.dropFirst())
    let shown = tied.count > 5 ? Array(tied.prefix(4)) : tied
    if board.verdict.reason == .onlyOneAlgorithm {
      return
        "\(recipe.name): \(name: first), median error \(size) m, is the only one that answered."
    }
    return tied.isEmpty
      ? "\(recipe.name): deploy \(name: first), median error \(size) m, significantly better than all others."
      : "\(recipe.name): deploy \(name: first), median error \(size) m. No significant difference: \(names: shown, others: tied.count - shown.count)."
  }

  /// The peers whose median is smaller than that of our best, with the result of the test.
  fileprivate var peersAhead: [Sentence] {
    let running = board.scores.filter {
      !board.verdict.withHindsight.contains($0.name)
        && !board.verdict.rarelyAnswering.contains($0.name) && $0.statistics.errors != nil
    }
    guard let own = running.first(where: { !peers.contains($0.name) }) else { return [] }
    return running.prefix { $0.name != own.name }.map { peer in
      let pair = board.allPairs.first { Set([$0.first, $0.second]) == [own.name, peer.name] }
      let p = pair?.adjusted.map { decimal($0, 3) } ?? "unknown"
      let words =
        pair?.isSignificant(at: board.verdict.level) == true
        ? "a significant difference" : "no significant difference"
      return
        "\(recipe.name): \(name: peer.name) \(size(of: peer) ?? "") m, \(name: own.name) \(size(of: own) ?? "") m; \(words) (adjusted p = \(p))."
    }
  }

  fileprivate var json: JSONValue {
    [
      "name": recipe.name, "title": recipe.title, "question": recipe.question,
      "source": recipe.source, "licence": recipe.licence, "verified": recipe.isVerified,
      "quantity": recipe.quantity.rawValue, "epochs": board.scores.first?.statistics.asked,
      "files": inputs.map { ["name": $0.name, "sha256": $0.sha256] },
      "advice": advice.text,
      "algorithms": board.scores.map { score -> JSONValue in
        let held = score.claims?.coverages.first { $0.claimed == 0.95 }
        return [
          "name": score.name, "peer": peers.contains(score.name), "causal": score.isCausal,
          "standing": standing(score.name).rawValue,
          "availability": score.statistics.availability,
          "median_m": score.statistics.errors?.median, "p75_m": score.statistics.errors?.p75,
          "p95_m": score.statistics.errors?.p95,
          "ci95": score.intervals, "right_floor": score.floors?.all.rate,
          "in_95_ellipse": held?.share,
        ]
      },
    ]
  }
}
