import Support

/// The stage of a part.
enum PartStage: String, Codable {
  case eval, beacons, filter, fit

  /// The result into which the parts of the stage merge.
  var whole: String {
    switch self {
    case .eval: "an evaluation"
    case .beacons: "a list of devices"
    case .filter: "a comparison of filters"
    case .fit: "a fit"
    }
  }
}

/// A part as a file of JSON lines: its format and its stage, a line for each piece, and a last line
/// with the SHA-256 digest of the lines before it.
struct ShardFile<Head: Codable, Piece: Codable> {
  var head: Head
  var pieces: [Piece]
}

/// The first line.
private struct Label: Codable {
  var format = formatName
  var formatVersion = 1
  var stage: PartStage

  static let formatName = "rssi-part"
}

/// The format in the first line.
private struct Format: Decodable {
  var format: String
  var formatVersion: Int
}

/// The last line.
private struct Seal: Codable {
  var sha256: String
}

extension ShardFile {
  /// Writes the part to a file that appears under its name only when it is whole.
  ///
  /// - Throws: `RSSIError` if the file cannot be written.
  func write(to path: String, of stage: PartStage) throws {
    var hash = Optional(SHA256())
    try writeWhole(to: path) { write in
      func line(_ value: some Encodable) throws {
        let bytes = try jsonLine(value) + [UInt8(ascii: "\n")]
        hash?.update(bytes.span)
        try write(String(decoding: bytes, as: UTF8.self))
      }
      try line(Label(stage: stage))
      try line(head)
      for piece in pieces { try line(piece) }
      let digest = hash.take()?.hexadecimalDigest() ?? ""
      try line(Seal(sha256: digest))
    }
  }

  /// Reads a part. The digest shows accidents, not intent: the content may still be invalid.
  ///
  /// - Throws: `.noInput` or `.permission` if the file cannot be read, `.badInput` if it is not a
  ///   part of the stage, of another format or damaged.
  init(path: String, of stage: PartStage) throws {
    let bytes = try contents(ofFile: path, atMost: mostBytes)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, let format = try? Format(json: Array(first)),
      format.format == Label.formatName
    else {
      throw RSSIError(
        .badInput, "\(path) is not a part of \(stage.whole)",
        advice: "name the files that `rssi \(stage.rawValue)` wrote as parts")
    }
    guard format.formatVersion == 1 else {
      throw RSSIError(
        .badInput,
        "\(path) is a part of format \(format.formatVersion), this rssi reads format 1",
        advice: "make it again with this version")
    }
    guard lines.count >= 3, let seal = try? Seal(json: Array(lines[lines.count - 1])),
      let label = try? Label(json: Array(first)),
      seal.sha256 == sha256(bytes.span.extracting(0..<lines[lines.count - 1].startIndex))
    else { throw damagedPart(path, of: stage) }
    guard label.stage == stage else {
      throw RSSIError(
        .badInput, "\(path) is a part of \(label.stage.whole), not of \(stage.whole)",
        advice: "merge it with `rssi \(label.stage.rawValue)`")
    }
    guard let head = try? Head(json: Array(lines[1])) else {
      throw damagedPart(path, of: stage)
    }
    self.head = head
    pieces = try lines[2..<lines.count - 1].map { line in
      guard let piece = try? Piece(json: Array(line)) else { throw damagedPart(path, of: stage) }
      return piece
    }
  }
}

/// The maximum size: a million answers of an evaluation take about 250 megabytes.
private let mostBytes = 1 << 31

func damagedPart(_ path: String, of stage: PartStage) -> RSSIError {
  RSSIError(.badInput, "\(path) is a damaged part of \(stage.whole)", advice: "make it again")
}

/// Returns whether a file begins like a part of any stage.
func looksLikePart(_ path: String) -> Bool {
  guard let head = try? contents(ofFile: path, atMost: 256) else { return false }
  return String(decoding: head, as: UTF8.self).contains("\"\(Label.formatName)\"")
}
