package import Evaluation
import Positioning
package import Support

/// The answers to some or all questions of an evaluation, and the data to score them.
///
/// Parts of several processes merge into the whole. Its document is byte for byte that of a single
/// process, which also scores a part, with every fold.
///
/// ```swift
/// request.share = .folds(1, of: 8)
/// let part = try EvaluationComparison(request, by: tool, log: SilentLog()).part()
/// try part.write(to: "part-1.ndjson")
/// ```
public struct EvaluationShard: Equatable, Sendable {
  /// An evaluation with one filter and one calibration.
  package struct Variant: Equatable, Sendable {
    /// The name of the filter, the calibration or both; empty for a single variant.
    package var name: String
    package var outline: EvaluationOutline
    /// The folds, in ascending order of their numbers.
    package var folds: [AnsweredFold]
  }

  /// The variants, at least one; all answer the same questions.
  package var variants: [Variant]

  /// The number of answered folds, and the number of all folds.
  public var answeredFolds: (count: Int, total: Int) {
    (
      variants.reduce(0) { $0 + $1.folds.count },
      variants.reduce(0) { $0 + $1.outline.folds.count }
    )
  }

  /// The number of questions that each algorithm answers.
  public var answeredQuestions: Int {
    variants.first.map { $0.folds.reduce(0) { $0 + $1.numbers.count } } ?? 0
  }
}

/// The common settings of all parts of an evaluation.
package struct EvaluationOutline: Codable, Equatable, Sendable {
  struct Recording: Codable, Equatable, Sendable {
    /// The name of the trace, with that of the node if several nodes moved in it.
    var name: String
    /// The number of questions about it; numbers go on from one recording to the next.
    var questions: Int
    /// The moving device.
    var device: String?
    /// The number of the site; recordings with a common anchor have one site.
    var site: Int?
  }

  struct Algorithm: Codable, Equatable, Sendable {
    /// The name with parameters.
    var name: String
    var isCausal: Bool
  }

  var title: String
  var recordings: [Recording]
  var algorithms: [Algorithm]
  /// The names of all folds, in their order.
  var folds: [String]
  package var settings: EvaluationSettings
  /// A Boolean value that is true if the lag behind the truth is measured.
  var measuresLag: Bool
  /// Notes that come before those of the folds.
  var notes: [String]
  /// Notes that come after them.
  var lastNotes: [String]
  var site: ReportedSite
  package var provenance: EvaluationProvenance
}

/// A fold with the answers to its questions.
package struct AnsweredFold: Codable, Equatable, Sendable {
  /// Its place in the outline's list.
  var number: Int
  /// The numbers of its questions.
  var numbers: [Int] = []
  /// The numbers of the questions whose recordings were fitted or learned from.
  var learned: [Range<Int>]
  var calibration: [ReportedCalibration]
  var notes: [String]
  var questions: [Question] = []
  /// The answers to each question, by algorithm.
  var outcomes: [[Outcome]]
}

extension EvaluationShard {
  /// Puts the parts of one evaluation together.
  ///
  /// - Parameter parts: with their names, such as those of their files, for messages; in any order.
  /// - Throws: `.badInput` if they are of different evaluations or versions of the program, if a
  ///   fold is missing or given twice, or if one was learned from the data that it scores.
  package init(merging parts: [(name: String, part: EvaluationShard)]) throws(RSSIError) {
    guard let first = parts.first else {
      throw RSSIError(.usage, "no part to merge: name the parts of an evaluation")
    }
    var variants = first.part.variants
    for index in variants.indices { variants[index].folds = [] }
    for (name, part) in parts {
      if let difference = first.part.difference(from: part) {
        throw RSSIError(
          .badInput, "\(first.name) and \(name) are of different evaluations: \(difference)",
          advice: "make all parts with the same files, options and version")
      }
      for (index, variant) in part.variants.enumerated() {
        try variant.requireNoLeak(in: name)
        variants[index].folds += variant.folds
      }
    }
    for index in variants.indices {
      variants[index].folds.sort { $0.number < $1.number }
      try variants[index].requireEachFoldOnce { number in
        parts.filter { _, part in part.variants[index].folds.contains { $0.number == number } }
          .map(\.name)
      }
    }
    self.variants = variants
  }

  /// Returns the difference between the outlines of two parts, in words; nil if they are equal.
  private func difference(from other: EvaluationShard) -> String? {
    guard variants.map(\.name) == other.variants.map(\.name) else {
      return "they compare different filters or calibrations"
    }
    return zip(variants, other.variants).lazy
      .compactMap { $0.outline.difference(from: $1.outline) }.first
  }
}

extension EvaluationOutline {
  /// Returns the difference between two outlines, in words; nil if they are equal.
  fileprivate func difference(from other: EvaluationOutline) -> String? {
    let (own, others) = (provenance, other.provenance)
    if own.version != others.version {
      return "one is of rssi \(own.version), one of rssi \(others.version)"
    }
    if own.commandLine != others.commandLine {
      return "one was made by `\(own.commandLine)`, one by `\(others.commandLine)`"
    }
    let changed = zip(own.inputs, others.inputs).first { $0 != $1 }
    if let changed { return "\(changed.0.name) was a different file" }
    return self == other ? nil : "their settings or recordings differ"
  }
}

extension EvaluationShard.Variant {
  fileprivate func requireNoLeak(in part: String) throws(RSSIError) {
    let leaked = folds.first { fold in
      fold.numbers.contains { number in fold.learned.contains { $0.contains(number) } }
    }
    guard let leaked else { return }
    throw RSSIError(
      .badInput,
      "\(part): \(outline.folds[leaked.number]) was learned from the data that it scores",
      advice: "make this part again")
  }

  /// - Parameter parts: the names of the parts that have a fold.
  fileprivate func requireEachFoldOnce(
    _ parts: (_ number: Int) -> [String]
  ) throws(RSSIError) {
    let twice = zip(folds, folds.dropFirst()).first { $0.number == $1.number }
    if let number = twice?.0.number {
      throw RSSIError(
        .badInput,
        "\(outline.folds[number]) is given more than once: in \(listed(parts(number), 4))",
        advice: "merge each part once")
    }
    let found = Set(folds.map(\.number))
    let missing = outline.folds.indices.filter { !found.contains($0) }
    guard !missing.isEmpty else { return }
    throw RSSIError(
      .badInput,
      "\(missing.count) of \(outline.folds.count) folds are missing: "
        + listed(missing.map { outline.folds[$0] }, 4),
      advice: "make the parts that have them, and merge all")
  }
}
