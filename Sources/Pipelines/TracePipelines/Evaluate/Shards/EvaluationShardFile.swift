import Evaluation
import Geometry
import Positioning
import Support

/// The common settings of all parts.
private struct EvaluationHead: Codable {
  struct Variant: Codable {
    var name: String
    var outline: EvaluationOutline
  }

  var variants: [Variant]
}

/// A line of a fold.
private struct FoldLine: Codable {
  /// The place of its variant in the first line.
  var variant: Int
  var fold: AnsweredFold
}

extension EvaluationShard {
  /// Writes the part to a file that appears under its name only when it is whole.
  ///
  /// - Throws: `RSSIError` if the file cannot be written.
  public func write(to path: String) throws {
    let lines = variants.enumerated().flatMap { index, variant in
      variant.folds.map { FoldLine(variant: index, fold: $0) }
    }
    let head = EvaluationHead(variants: variants.map { .init(name: $0.name, outline: $0.outline) })
    try ShardFile(head: head, pieces: lines).write(to: path, of: .eval)
  }

  /// Puts the parts of one evaluation together.
  ///
  /// - Parameter paths: files of parts, in any order.
  /// - Throws: `RSSIError` as `init(merging:)` of parts, and for a file that is not a whole part.
  public init(merging paths: [String]) throws {
    try self.init(merging: paths.map { ($0, try EvaluationShard(path: $0)) })
  }

  /// Reads a part.
  ///
  /// - Throws: `.noInput` or `.permission` if the file cannot be read, `.badInput` if it is not a
  ///   part, of another format or damaged.
  package init(path: String) throws {
    let file = try ShardFile<EvaluationHead, FoldLine>(path: path, of: .eval)
    variants = file.head.variants.map { Variant(name: $0.name, outline: $0.outline, folds: []) }
    for line in file.pieces {
      guard variants.indices.contains(line.variant),
        line.fold.fits(variants[line.variant].outline)
      else { throw damagedPart(path, of: .eval) }
      variants[line.variant].folds.append(line.fold)
    }
    guard !variants.isEmpty, variants.allSatisfy(\.outline.isSound) else {
      throw damagedPart(path, of: .eval)
    }
  }
}

// Decoded data may differ from what was written: the digest shows accidents, not intent.

extension EvaluationOutline {
  fileprivate var isSound: Bool {
    let total = recordings.reduce(0) { sum, recording in
      sum > Self.mostQuestions || !(0...Self.mostQuestions).contains(recording.questions)
        ? .max / 2 : sum + recording.questions
    }
    guard total <= Self.mostQuestions else { return false }
    if case .blocks(let length) = settings.resampled, length <= 0 { return false }
    if let margin = settings.margin, !EvaluationRequest.equivalences.contains(margin) {
      return false
    }
    guard let bounds = site.bounds else { return true }
    return bounds.minimum.x <= bounds.maximum.x && bounds.minimum.y <= bounds.maximum.y
  }

  private static let mostQuestions = 100_000_000
}

extension AnsweredFold {
  /// Returns whether the numbers are within an outline, and everything else has one element per
  /// number.
  fileprivate func fits(_ outline: EvaluationOutline) -> Bool {
    guard outline.isSound else { return false }
    let total = outline.recordings.reduce(0) { $0 + $1.questions }
    return outline.folds.indices.contains(number)
      && numbers.allSatisfy { (0..<total).contains($0) }
      && questions.count == numbers.count
      && questions.allSatisfy { $0.isSound(recordings: outline.recordings.count) }
      && outcomes.count == outline.algorithms.count
      && outcomes.allSatisfy { $0.count == numbers.count && $0.allSatisfy(\.isSound) }
  }
}

extension Question {
  fileprivate func isSound(recordings: Int) -> Bool {
    let times = [instant, asked, newest ?? 0]
    return times.allSatisfy { abs($0 / 2) < 1 << 61 } && isNear(truth, truthHeight)
      && anchors >= 0 && packets >= 0
      && recording.map { (0..<recordings).contains($0) } ?? true
  }
}

extension Outcome {
  fileprivate var isSound: Bool {
    guard case .located(let estimate) = self else { return true }
    return isNear(estimate.position, estimate.height)
  }
}

/// Returns whether a place is within plausible coordinates.
private func isNear(_ place: Point, _ height: Double?) -> Bool {
  abs(place.x) <= 1e9 && abs(place.y) <= 1e9 && abs(height ?? 0) <= 1e9
}
