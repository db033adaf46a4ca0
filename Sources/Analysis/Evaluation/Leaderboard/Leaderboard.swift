public import Geometry
import Positioning

/// The algorithms of one evaluation, best first, and how they compare: plain data.
public struct Leaderboard: Equatable, Sendable {
  /// The scores, in ascending order of the ranking figure.
  ///
  /// Algorithms that never answered come last, and ties are in order of their names.
  public var scores: [Score]
  /// The figure of the order.
  public var figure: ErrorFigure
  /// The first algorithm in the running against each of the others, in the order of the scores,
  /// adjusted together.
  package var comparisons: [PairedComparison]
  /// Every algorithm against every one after it in the order of the scores, adjusted together.
  package var allPairs: [PairedComparison]
  /// Which algorithm is best.
  package var verdict: Verdict
  /// The baselines that are among the algorithms.
  package var baselines: [BaselineVerdict]
  /// The errors at common questions; nil where no two algorithms answered the same question.
  package var matched: MatchedTable?
}

extension Leaderboard {
  /// Ranks, compares and judges.
  ///
  /// - Parameters:
  ///   - traces: the questions.
  ///   - answers: what each algorithm stated to them; no two have one name.
  public init(
    traces: [EvaluatedTrace], answers: [AlgorithmAnswers],
    settings: LeaderboardSettings = LeaderboardSettings()
  ) {
    precondition(
      Set(answers.map(\.name)).count == answers.count, "algorithms are told apart by their names")
    let figure = settings.figure
    let scored = answers.map { answers in
      (
        score: Score(
          answers, traces: traces, zones: settings.zones, bootstrap: settings.bootstrap,
          measuresLag: settings.measuresLag),
        errors: ComparedErrors(answers, traces: traces, figure: figure)
      )
    }
    .sorted { Self.rank($0.score, figure) < Self.rank($1.score, figure) }
    self.figure = figure
    scores = scored.map(\.score)

    let answering = scored.filter { $0.score.statistics.answered > 0 }
    let most = answering.map(\.score.statistics.answered).max() ?? 0
    let least = settings.leastAvailability * Double(most)
    let often = answering.filter { Double($0.score.statistics.answered) >= least }
    // A deployment has no hindsight: only where nothing else is compared may such an algorithm be
    // best.
    let causal = often.filter(\.score.isCausal)
    let running = causal.isEmpty ? often : causal
    let names = running.map(\.score.name)
    func compare(_ one: ComparedErrors) -> [PairedComparison] {
      var comparisons = answering.filter { $0.errors.name != one.name }
        .map { PairedComparison(one, $0.errors, test: settings.test) }
      Holm.adjust(&comparisons)
      return comparisons
    }

    comparisons = running.first.map { compare($0.errors) } ?? []
    allPairs = answering.indices.flatMap { index in
      answering[(index + 1)...].map {
        PairedComparison(answering[index].errors, $0.errors, test: settings.test)
      }
    }
    Holm.adjust(&allPairs)
    verdict = Verdict(
      running: names, comparisons: comparisons, test: settings.test,
      rarelyAnswering: answering.map(\.score.name)
        .filter { name in !often.contains { $0.score.name == name } },
      withHindsight: often.map(\.score.name).filter { !names.contains($0) })
    baselines =
      answering
      .filter {
        // Without parameters, and without the levels or constants that it answered with.
        settings.baselines.contains(String($0.score.name.prefix { $0 != ":" && $0 != " " }))
      }
      .map { baseline in
        BaselineVerdict(
          baseline: baseline.score.name, running: names, comparisons: compare(baseline.errors),
          level: settings.test.level)
      }
    matched = MatchedTable(
      answering.map(\.errors), bootstrap: settings.bootstrap,
      asked: traces.reduce(0) { $0 + $1.questions.count }, leastShare: settings.leastMatched)
  }

  private static func rank(_ score: Score, _ figure: ErrorFigure) -> (Double, String) {
    (score.statistics.errors.map(figure.of) ?? .infinity, score.name)
  }
}

/// The settings of a leaderboard besides the questions and the answers.
public struct LeaderboardSettings: Equatable, Sendable {
  /// The figure that algorithms are ranked and compared by.
  public var figure: ErrorFigure = .median
  package var bootstrap = TraceBootstrap()
  package var test = SignificanceTest()
  /// The zones of the site; of overlapping ones the first counts.
  public var zones: [Polygon] = []
  /// Names without parameters of the algorithms that others have to beat.
  public var baselines = ["nearest-anchor", "centroid", "weighted-centroid"]
  /// A Boolean value that is true if the lag behind the truth is measured.
  public var measuresLag = false
  /// An algorithm is in the running where it answers at least this share of the questions that the
  /// most answering one answers.
  public var leastAvailability = 0.8
  /// The matched table is about at least this share of the questions asked.
  public var leastMatched = 0.1

  /// Creates the default settings.
  public init() {}
}
