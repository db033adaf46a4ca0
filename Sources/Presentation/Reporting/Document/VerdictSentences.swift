import Evaluation
import NumericalMethods
import Support

/// What an evaluation comes to, in sentences.
extension EvaluationDocument {
  /// What intervals draw and tests count, such as `places`.
  var units: String { settings.resampled.plural }

  /// Which algorithm is best, or why none is called so.
  var verdictSentence: Sentence {
    let verdict = leaderboard.verdict
    guard let first = verdict.best.first,
      let score = leaderboard.scores.first(where: { $0.name == first })
    else { return "No algorithm answered any question." }
    let figure = "\(leaderboard.figure.rawValue) error"
    let size = sizeOfError(score)
    switch verdict.reason {
    case nil:
      return
        """
        \(name: first) is best: its \(figure) is \(size), smaller than that of every other \
        algorithm in the running by more than chance.
        """
    case .notToldApart where verdict.best.count > 1:
      return
        """
        \(names: verdict.best) cannot be told apart on these \(units). The \(figure) of \
        \(name: first) is \(size).
        """
    case .onlyOneAlgorithm:
      return
        "\(name: first) has a \(figure) of \(size). There is no other algorithm to compare it with."
    case .tooFewTraces(let count, let needed):
      return
        """
        The \(figure) of \(name: first) is \(size), the smallest in the running; but \
        \(settings.resampled.counted(count)) cannot settle which algorithm is best: with \
        so many compared it takes at least \(needed).
        """
    case .some(let reason):
      return
        """
        The \(figure) of \(name: first) is \(size), the smallest in the running; but \
        \(reason.description(of: settings.resampled)).
        """
    }
  }

  private func sizeOfError(_ score: Score) -> String {
    guard let errors = score.statistics.errors else { return "unknown size" }
    let value = decimal(leaderboard.figure.of(errors), 2) + " m"
    guard let interval = score.intervals.of(leaderboard.figure).interval else { return value }
    return value
      + " (95 % interval \(decimal(interval.lower, 2)) to \(decimal(interval.upper, 2)) m)"
  }

  /// What the reader should weigh the verdict with.
  var verdictRemarks: [Sentence] {
    var remarks: [Sentence] = []
    if let baseline = strongestBaseline {
      let others = leaderboard.scores.count - 1
      if baseline.beatenBy.isEmpty, others > 0 {
        remarks.append(
          hasTooFewTraces
            ? """
            Nothing beats the plain \(name: baseline.baseline) beyond chance; but with so few \
            \(units) nothing could.
            """
            : """
            Nothing beats the plain \(name: baseline.baseline) beyond chance: these \(units) give \
            no reason to deploy anything more elaborate.
            """
        )
      } else if !baseline.beatenBy.isEmpty {
        remarks.append(
          """
          \(baseline.beatenBy.count) of \(others) algorithms \
          \(baseline.beatenBy.count == 1 ? "beats" : "beat") the plain \
          \(name: baseline.baseline) beyond chance: \(names: baseline.beatenBy).
          """
        )
      }
    }
    if let needed = neededText { remarks.append("\(Sentence.capitalised(needed)).") }
    let verdict = leaderboard.verdict
    if !verdict.rarelyAnswering.isEmpty {
      remarks.append(
        """
        Not in the running, because \
        \(verdict.rarelyAnswering.count == 1 ? "it leaves" : "they leave") too many questions \
        unanswered that others answer: \(names: verdict.rarelyAnswering).
        """
      )
    }
    let foresighted = leaderboard.scores.filter { !$0.isCausal }.map(\.name)
    if !foresighted.isEmpty {
      remarks.append(
        """
        \(names: foresighted) \(foresighted.count == 1 ? "uses" : "use") what was heard later \
        than the instant of the question: no live system reaches these \
        errors\(verdict.withHindsight.isEmpty ? "" : ", and the verdict leaves \(foresighted.count == 1 ? "it" : "them") out").
        """
      )
    }
    return remarks + notes.map { note in "\(Sentence.capitalised(note))" }
  }

  /// How many more traces, places or blocks a verdict needs; nil where there is one, or nothing to
  /// compare.
  var neededText: String? {
    let verdict = leaderboard.verdict
    guard verdict.best.count > 1 else { return nil }
    let count = leaderboard.comparisons.map(\.commonTraces).min() ?? 0
    func more(_ all: Int) -> String {
      let more = max(all - count, 1)
      return "\(more) more \(more == 1 ? settings.resampled.name : units)"
    }
    if let needed = verdict.needed {
      let least =
        needed.least.flatMap { $0 > count ? "; it needs at least \(more($0))" : nil } ?? ""
      guard let all = needed.count else {
        return
          "a verdict needs more than \(TracesNeeded.most) \(units) like these, "
          + "as the closest are too much alike\(least)"
      }
      return "a verdict needs about \(more(all)) like these, with a probability of 80 %\(least)"
    }
    guard case .tooFewTraces(_, let needed) = verdict.reason else { return nil }
    let blocks =
      traces.count == 1 && settings.resampled == .traces
      ? "; blocks of the one that there is give intervals, too, where errors further apart are "
        + "independent" : ""
    return "a verdict needs at least \(more(needed))\(blocks)"
  }

  /// What a line of the leaderboard should be read with: whether the algorithm may be best, uses
  /// hindsight, or answers too rarely to be in the running.
  ///
  /// Where too few traces were compared any algorithm may be best, also one that is plainly worse:
  /// the verdict states it once, and no line does.
  func standing(of score: Score) -> String? {
    let verdict = leaderboard.verdict
    var words: [String] = []
    if verdict.winner == score.name {
      words.append("best")
    } else if verdict.best.contains(score.name), !hasTooFewTraces {
      words.append("may be best")
    }
    if !score.isCausal { words.append("hindsight") }
    if verdict.rarelyAnswering.contains(score.name) { words.append("answers rarely") }
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

  /// What fitting and scoring have to do with each other.
  var separationSentence: Sentence {
    switch settings.separation {
    case .otherRecordings:
      "Calibration and evaluation are apart: nothing was fitted on the traces that are scored."
    case .crossValidated:
      """
      Cross-validated \
      (leave out \(settings.crossValidation ?? "traces")): each was scored with constants, maps and fingerprints of the others only.
      """
    case .inSample:
      """
      IN SAMPLE: \(settings.sharedShare.map { percent($0) + " of the readings" } ?? "readings") \
      that are scored here were fitted or learned from. The errors flatter; do not publish them as \
      accuracy.
      """
    case .unknown:
      """
      The calibration does not show what it was fitted on: whether the traces scored here were \
      part of it is not known.
      """
    }
  }
}

extension String {
  /// The text with its first letter as at the beginning of a sentence.
  var withCapital: String { prefix(1).uppercased() + dropFirst() }
}

extension Sentence {
  /// A note as a sentence of its own.
  static func capitalised(_ note: String) -> String {
    note.withCapital + (note.hasSuffix(".") || note.hasSuffix("!") ? "" : ".")
  }
}
