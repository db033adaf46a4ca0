import Evaluation
import Geometry
import NumericalMethods
import Positioning
import Support

/// The outcome of an evaluation in sentences.
extension EvaluationDocument {
  /// The plural of the unit that intervals resample, such as `places`.
  var units: String { settings.resampled.plural }

  /// The winner, or the reason that there is none.
  var verdictSentence: Sentence {
    let verdict = leaderboard.verdict
    guard let first = verdict.best.first else { return "No algorithm answered any epoch." }
    switch verdict.reason {
    case nil:
      return
        """
        Winner: \(name: first), with a \(figure) error of \(size(of: first)), significantly \
        smaller than that of every other algorithm.
        """
    case .tooFewTraces(let count, let needed):
      return
        """
        No winner: \(settings.resampled.counted(count)) \(count == 1 ? "is" : "are") too few to \
        separate \(answers.count) algorithms (at least \(needed)).
        """
    case .notToldApart where verdict.best.count > 1:
      let shown = verdict.best.count > 5 ? Array(verdict.best.prefix(4)) : verdict.best
      let others = verdict.best.count - shown.count
      return "No winner: no significant difference between \(names: shown, others: others)."
    default:
      return
        """
        \(name: first) has a \(figure) error of \(size(of: first)). There is no other algorithm \
        to compare it with.
        """
    }
  }

  private var figure: String { leaderboard.figure.rawValue }

  /// Returns the error of an algorithm with its interval.
  private func size(of name: String) -> String {
    guard let score = leaderboard.scores.first(where: { $0.name == name }),
      let errors = score.statistics.errors
    else { return "unknown size" }
    let value = decimal(leaderboard.figure.of(errors), 2) + " m"
    guard let interval = score.intervals.of(leaderboard.figure).interval else { return value }
    return value
      + " (95 % interval \(decimal(interval.lower, 2)) to \(decimal(interval.upper, 2)) m)"
  }

  /// The comparison of the strongest baseline with all other algorithms.
  var baselineSentence: Sentence? {
    guard let baseline = strongestBaseline, leaderboard.scores.count > 1 else { return nil }
    guard !baseline.beatenBy.isEmpty else {
      return "No algorithm is significantly better than \(name: baseline.baseline)."
    }
    return "Significantly better than \(name: baseline.baseline): \(names: baseline.beatenBy)."
  }

  /// The outcomes of the tests against the margin; empty without one.
  var equivalenceSentences: [Sentence] {
    guard settings.margin != nil, let first = leaderboard.comparisons.first?.first else {
      return []
    }
    var sentences = sentences(on: leaderboard.comparisons, with: first)
    if let baseline = strongestBaseline, baseline.baseline != first {
      sentences += self.sentences(on: baseline.comparisons, with: baseline.baseline)
    }
    return sentences
  }

  /// Returns one sentence per outcome.
  private func sentences(on comparisons: [PairedComparison], with first: String) -> [Sentence] {
    var words: [String] = []
    var names: [String: [String]] = [:]
    for comparison in comparisons {
      guard let test = comparison.equivalence else { continue }
      let outcome = test.inWords(at: leaderboard.verdict.level)
      if names[outcome] == nil { words.append(outcome) }
      names[outcome, default: []].append(comparison.second)
    }
    return words.map { "Compared with \(name: first), \($0): \(names: names[$0] ?? [])." }
  }

  /// The algorithms that cannot win, and why.
  var excludedSentence: Sentence? {
    let verdict = leaderboard.verdict
    let (rare, late) = (verdict.rarelyAnswering, verdict.withHindsight)
    guard !rare.isEmpty || !late.isEmpty else { return nil }
    let reasons = (rare.isEmpty ? "" : " (too few answers)", late.isEmpty ? "" : " (hindsight)")
    let between = rare.isEmpty || late.isEmpty ? "" : "; "
    return "Excluded: \(names: rare)\(reasons.0)\(between)\(names: late)\(reasons.1)."
  }

  /// The most useful thing to do after the evaluation.
  var nextStep: Sentence? {
    let verdict = leaderboard.verdict
    guard let first = verdict.best.first else { return nil }
    let count = leaderboard.comparisons.map(\.commonTraces).min() ?? 0
    func more(_ all: Int) -> String {
      let more = max(all - count, 1)
      return "\(more) more \(more == 1 ? settings.resampled.name : units)"
    }
    switch verdict.reason {
    case nil: return "locate with \(name: first) (`rssi locate`)"
    case .nothingAnswered: return nil
    case .onlyOneAlgorithm: return "compare it with other algorithms"
    case .tooFewTraces(_, let needed):
      let blocks = traces.count == 1 && settings.resampled == .traces
      return
        """
        record at least \(more(needed)), or compare fewer algorithms\
        \(blocks ? ", or resample blocks of this one" : "")
        """
    case .notToldApart:
      let number =
        verdict.needed?.count.map { "about \(more($0))" }
        ?? "more than \(TracesNeeded.most) \(units)"
      let plain = strongestBaseline.flatMap { $0.beatenBy.isEmpty ? $0.baseline : nil } ?? first
      return
        """
        use \(plain), which no algorithm beats significantly, or record \(number) like these \
        (power 80 %)
        """
    }
  }

  /// The facts to weigh the verdict with.
  var verdictRemarks: [Sentence] {
    var remarks: [Sentence] = []
    let verdict = leaderboard.verdict
    if verdict.reason != .onlyOneAlgorithm, verdict.reason != nil, let first = verdict.best.first {
      remarks.append("Smallest \(figure) error: \(name: first), \(size(of: first)).")
    }
    if let baselineSentence { remarks.append(baselineSentence) }
    remarks += equivalenceSentences
    if let excludedSentence { remarks.append(excludedSentence) }
    let foresighted = leaderboard.scores.filter { !$0.isCausal }.map(\.name)
    if !foresighted.isEmpty {
      remarks.append(
        """
        \(names: foresighted) \(foresighted.count == 1 ? "uses" : "use") later sightings \
        (hindsight), which no live system has.
        """)
    }
    remarks += notes.map { "\(Sentence.capitalised($0))" }
    if let nextStep { remarks.append("Next: \(nextStep.text).") }
    return remarks
  }

  /// Returns the remark in the row of an algorithm: best, possible winner, hindsight, few answers.
  ///
  /// Every algorithm is a possible winner if there are too few traces. The verdict shows it once.
  func standing(of score: Score) -> String? {
    let verdict = leaderboard.verdict
    var words: [String] = []
    if verdict.winner == score.name {
      words.append("best")
    } else if verdict.best.contains(score.name), !hasTooFewTraces {
      words.append("possible winner")
    }
    if !score.isCausal { words.append("hindsight") }
    if verdict.rarelyAnswering.contains(score.name) { words.append("too few answers") }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private var hasTooFewTraces: Bool {
    if case .tooFewTraces = leaderboard.verdict.reason { true } else { false }
  }

  /// The baseline that comes first in the leaderboard.
  var strongestBaseline: BaselineVerdict? {
    let places = places
    return leaderboard.baselines.min {
      (places[$0.baseline] ?? .max, $0.baseline) < (places[$1.baseline] ?? .max, $1.baseline)
    }
  }

  private var scoredTwice: String {
    guard let share = settings.sharedShare, share > 0 else { return "readings or walks" }
    return "\(percent(share)) of the readings"
  }

  /// The relation between the data of the calibration and those of the evaluation.
  var separationSentence: Sentence {
    switch settings.separation {
    case .otherRecordings:
      "Calibration and evaluation use different recordings."
    case .crossValidated:
      """
      Cross-validated (leave out \(settings.crossValidation ?? "traces")): each was scored with \
      constants, maps and fingerprints of the others only.
      """
    case .inSample:
      """
      IN SAMPLE: \(scoredTwice) that are scored here were used for the calibration, the survey or \
      another fold. The errors are too small; do not publish them as accuracy.
      """
    case .unknown:
      """
      The calibration does not list its readings: they may include the traces that are scored here.
      """
    }
  }
}

extension EvaluationDocument {
  /// Returns the document with one row for algorithms whose answers are equal, under a name that
  /// lists both.
  ///
  /// Power Center and Sphere Intersection are the same point in the plane.
  func joiningEqualAlgorithms() -> EvaluationDocument {
    var names: [String: String] = [:]
    let ranked = ranked
    for (one, other) in zip(ranked, ranked.dropFirst())
    where names[one.name] == nil && one.answers.isEqual(to: other.answers) {
      names[one.name] = [one.name, other.name].sorted().joined(separator: " = ")
      // Rows of the second are left out.
      names[other.name] = ""
    }
    guard !names.isEmpty else { return self }
    func shown(_ name: String) -> String { names[name] ?? name }
    var document = self
    for index in document.answers.indices where shown(document.answers[index].name) != "" {
      document.answers[index].name = shown(document.answers[index].name)
    }
    for index in document.leaderboard.scores.indices {
      let name = document.leaderboard.scores[index].name
      document.leaderboard.scores[index].name = shown(name)
    }
    document.leaderboard.scores.removeAll { $0.name == "" }
    document.leaderboard.comparisons = leaderboard.comparisons.compactMap { $0.named(shown) }
    document.leaderboard.allPairs = leaderboard.allPairs.compactMap { $0.named(shown) }
    document.leaderboard.verdict.best = leaderboard.verdict.best.map(shown).filter { $0 != "" }
    document.leaderboard.verdict.rarelyAnswering = leaderboard.verdict.rarelyAnswering.map(shown)
      .filter { $0 != "" }
    if var rows = leaderboard.matched?.rows {
      for index in rows.indices { rows[index].name = shown(rows[index].name) }
      document.leaderboard.matched?.rows = rows.filter { $0.name != "" }
    }
    return document
  }
}

extension PairedComparison {
  /// Returns the comparison under other names; nil if one is empty.
  fileprivate func named(_ name: (String) -> String) -> PairedComparison? {
    var pair = self
    (pair.first, pair.second) = (name(first), name(second))
    return pair.first == "" || pair.second == "" ? nil : pair
  }
}

extension AlgorithmAnswers {
  /// Returns true if both give the same positions to a micrometre.
  fileprivate func isEqual(to other: AlgorithmAnswers) -> Bool {
    guard isCausal == other.isCausal else { return false }
    for (trace, outcomes) in outcomes.enumerated() {
      for (number, outcome) in outcomes.enumerated() {
        let (one, two) = (outcome.estimate, other.outcomes[trace][number].estimate)
        guard let one, let two else {
          if one == nil, two == nil { continue }
          return false
        }
        guard one.position.distance(to: two.position) < 1e-6,
          abs((one.height ?? 0) - (two.height ?? 0)) < 1e-6
        else { return false }
      }
    }
    return true
  }
}

/// The verdict of a test that finds nothing.
let noDifference = "no significant difference"

/// Returns a difference in metres with its sign.
func signed(_ value: Double) -> String {
  let text = decimal(value, 2)
  return text.hasPrefix("-") || text == "0.00" ? text : "+" + text
}

extension String {
  /// The text with its first letter as at the beginning of a sentence.
  var withCapital: String { prefix(1).uppercased() + dropFirst() }
}

extension Sentence {
  /// Returns a note as a sentence of its own.
  static func capitalised(_ note: String) -> String {
    note.withCapital + (note.hasSuffix(".") || note.hasSuffix("!") ? "" : ".")
  }
}
