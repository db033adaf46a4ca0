import Evaluation
import Geometry
import Positioning
import Support

// A part is a file of JSON lines: what all parts have in common, a line for each fold, and a last
// line with the SHA-256 digest of those before it.

/// The first line.
private struct Head: Codable {
  struct Variant: Codable {
    var name: String
    var outline: EvaluationOutline
  }

  var format = formatName
  var formatVersion = 1
  var variants: [Variant]

  static let formatName = "rssi-evaluation-part"
}

/// Reads only which format a file has.
private struct Format: Decodable {
  var format: String
  var formatVersion: Int
}

/// A line of a fold.
private struct FoldLine: Codable {
  /// The place of its variant in the first line.
  var variant: Int
  var fold: AnsweredFold
}

/// The last line.
private struct Seal: Codable {
  var sha256: String
}

extension EvaluationPart {
  /// Writes the part to a file that appears under its name only when it is whole.
  ///
  /// - Throws: `RSSIError` where it cannot be written.
  public func write(to path: String) throws {
    var hash = Optional(SHA256())
    try writeWhole(to: path) { write in
      func line(_ value: some Encodable) throws {
        let bytes = try jsonLine(value) + [UInt8(ascii: "\n")]
        hash?.update(bytes.span)
        try write(String(decoding: bytes, as: UTF8.self))
      }
      try line(Head(variants: variants.map { .init(name: $0.name, outline: $0.outline) }))
      for (index, variant) in variants.enumerated() {
        for fold in variant.folds { try line(FoldLine(variant: index, fold: fold)) }
      }
      let digest = hash.take()?.hexadecimalDigest() ?? ""
      try line(Seal(sha256: digest))
    }
  }

  /// Puts the parts of one evaluation together.
  ///
  /// - Parameter paths: files of parts, in any order.
  /// - Throws: `RSSIError` as `init(merging:)` of parts, and for what is not a whole part.
  public init(merging paths: [String]) throws {
    try self.init(merging: paths.map { ($0, try EvaluationPart(path: $0)) })
  }

  /// Reads a part.
  ///
  /// - Throws: `.noInput` or `.permission` where it cannot be read, `.badInput` for what is not a
  ///   part, is of another format or is damaged.
  package init(path: String) throws {
    let bytes = try contents(ofFile: path, atMost: Self.mostBytes)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, let format = try? Format(json: Array(first)),
      format.format == Head.formatName
    else {
      throw RSSIError(
        .badInput, "\(path) is not a part of an evaluation",
        advice: "name the files that `rssi eval` wrote as parts")
    }
    guard format.formatVersion == 1 else {
      throw RSSIError(
        .badInput,
        "\(path) is a part of format \(format.formatVersion), this rssi reads format 1",
        advice: "make it again with this version")
    }
    guard let last = lines.last, let seal = try? Seal(json: Array(last)),
      let head = try? Head(json: Array(first))
    else { throw Self.damaged(path) }
    let sealed = bytes.span.extracting(0..<last.startIndex)
    guard seal.sha256 == sha256(sealed) else { throw Self.damaged(path) }
    variants = head.variants.map { Variant(name: $0.name, outline: $0.outline, folds: []) }
    for line in lines.dropFirst().dropLast() {
      guard let read = try? FoldLine(json: Array(line)), variants.indices.contains(read.variant),
        read.fold.fits(variants[read.variant].outline)
      else { throw Self.damaged(path) }
      variants[read.variant].folds.append(read.fold)
    }
    guard !variants.isEmpty, variants.allSatisfy(\.outline.isSound) else {
      throw Self.damaged(path)
    }
  }

  /// A million answers are about 250 megabytes.
  private static var mostBytes: Int { 1 << 31 }

  private static func damaged(_ path: String) -> RSSIError {
    RSSIError(.badInput, "\(path) is a damaged part of an evaluation", advice: "make it again")
  }
}

// What was decoded may still not be what was written: the digest shows accidents, not intent.

extension EvaluationOutline {
  fileprivate var isSound: Bool {
    let total = recordings.reduce(0) { sum, recording in
      sum > Self.mostQuestions || !(0...Self.mostQuestions).contains(recording.questions)
        ? .max / 2 : sum + recording.questions
    }
    guard total <= Self.mostQuestions else { return false }
    if case .blocks(let length) = settings.resampled, length <= 0 { return false }
    guard let bounds = site.bounds else { return true }
    return bounds.minimum.x <= bounds.maximum.x && bounds.minimum.y <= bounds.maximum.y
  }

  private static let mostQuestions = 100_000_000
}

extension AnsweredFold {
  /// Whether the numbers are within an outline, and the rest is one of each for every number.
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

/// Whether a place is within the coordinates that occur.
private func isNear(_ place: Point, _ height: Double?) -> Bool {
  abs(place.x) <= 1e9 && abs(place.y) <= 1e9 && abs(height ?? 0) <= 1e9
}
