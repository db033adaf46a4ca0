public import Geometry
import Positioning

/// The ranking of the algorithms of one evaluation, with their comparisons: plain data.
public struct Leaderboard: Equatable, Sendable {
  /// The scores, in ascending order of the ranking figure.
  ///
  /// Algorithms that never answered come last; ties are in order of their names.
  public var scores: [Score]
  /// The figure of the ranking.
  public var figure: ErrorFigure
  /// The comparisons of the first eligible algorithm with each of the others, in the order of the
  /// scores, adjusted together.
  public var comparisons: [PairedComparison]
  /// The comparisons of all pairs, in the order of the scores, adjusted together.
  public var allPairs: [PairedComparison]
  /// The first eligible algorithm against each of the others over devices and sites, adjusted
  /// together; empty if the recordings have one device and one site.
  public var mixed: [MixedComparison]
  /// The verdict on the best algorithm.
  public var verdict: Verdict
  /// The verdicts on the baselines among the algorithms.
  public var baselines: [BaselineVerdict]
  /// The errors at common questions; `nil` if no two algorithms answered the same question.
  package var matched: MatchedTable?
}

extension Leaderboard {
  /// Ranks and compares algorithms.
  ///
  /// - Parameters:
  ///   - traces: The questions.
  ///   - answers: The answers of each algorithm, with distinct names.
  public init(
    traces: [EvaluatedTrace], answers: [AlgorithmAnswers],
    settings: LeaderboardSettings = LeaderboardSettings()
  ) {
    precondition(
      Set(answers.map(\.name)).count == answers.count, "expected distinct names of algorithms")
    let figure = settings.figure
    let scored = answers.map { answers in
      (
        score: Score(
          answers, traces: traces, zones: settings.zones, floors: settings.floors,
          bootstrap: settings.bootstrap,
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
    // A deployment has no hindsight: such an algorithm can be best only if nothing else is
    // compared.
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
    mixed =
      running.first.map { first in
        answering.filter { $0.errors.name != first.errors.name }.compactMap {
          MixedComparison(
            first.errors, $0.errors, traces: traces, origins: settings.origins,
            confidence: 1 - settings.test.level)
        }
      } ?? []
    Holm.adjust(&mixed)
    verdict = Verdict(
      running: names, comparisons: comparisons, test: settings.test,
      rarelyAnswering: answering.map(\.score.name)
        .filter { name in !often.contains { $0.score.name == name } },
      withHindsight: often.map(\.score.name).filter { !names.contains($0) })
    baselines =
      answering
      .filter {
        // The name without parameters, levels and constants.
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

/// The settings of a leaderboard.
public struct LeaderboardSettings: Equatable, Sendable {
  /// The figure that ranks and compares algorithms.
  public var figure: ErrorFigure = .median
  package var bootstrap = TraceBootstrap()
  package var test = SignificanceTest()
  /// The zones of the site; of overlapping ones the first counts.
  public var zones: [Polygon] = []
  /// The names of the floors of a building, from the lowest; empty for one plane.
  public var floors: [String] = []
  /// The names without parameters of the baseline algorithms.
  public var baselines = ["nearest-anchor", "centroid", "weighted-centroid"]
  /// The device and the site of each recording, by its number in questions; empty if unknown.
  package var origins: [RecordingOrigin] = []
  /// A Boolean value that is true if the lag behind the truth is measured.
  public var measuresLag = false
  /// The smallest share of questions, relative to the algorithm with most answers, for which an
  /// algorithm is eligible.
  public var leastAvailability = 0.8
  /// The smallest share of questions in the matched table.
  public var leastMatched = 0.1

  /// Creates the default settings.
  public init() {}
}
