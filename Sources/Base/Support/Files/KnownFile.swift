import Glibc

/// A kind of file that stages read, recognised by its content, so that a file in the wrong place is
/// answered with the right one.
package enum KnownFile: Equatable, Sendable {
  case trace
  case recording
  case site
  case registry
  case calibration
  /// A report of `rssi calibrate`.
  case powerReport
  /// A part of the work of a stage.
  case part
  // Tables.
  case nodes
  case truth
  case trueLevels
  case readings
  case sightings

  /// Recognises a file by its first bytes; returns `nil` for a pipe, or for unknown content.
  package init?(path: String) {
    var status = stat()
    // A pipe can be read only once.
    guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let head = try? contents(ofFile: path, atMost: 1 << 16)
    else { return nil }
    self.init(head)
  }

  /// Recognises a file by its first bytes; returns `nil` for unknown content.
  package init?(_ head: [UInt8]) {
    if let binary = Self.magic.first(where: { head.starts(with: $0.bytes) }) {
      self = binary.kind
      return
    }
    let text = String(decoding: head, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmed }
    guard let first = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }) else { return nil }
    if first.hasPrefix("{") {
      guard let json = Self.formats.first(where: { text.contains("\"rssi-\($0.name)\"") }) else {
        return nil
      }
      self = json.kind
    } else if first.hasPrefix("[["), let end = first.firstRange(of: "]]"),
      first[..<end.lowerBound].dropFirst(2).allSatisfy({ $0.isLetter || $0 == "_" })
    {
      self = .site
    } else {
      self.init(columns: first.split(separator: ",").map { $0.trimmed.filter { $0 != "\"" } })
    }
  }

  /// Recognises a table by the names of its columns.
  package init?(columns names: [String]) {
    let columns = Set(names)
    if let table = Self.tables.first(where: { columns.isSuperset(of: $0.columns) }) {
      self = table.kind
      return
    }
    // A table of sightings may have columns of identities, too.
    let isHeard = names.contains { name in
      ["rssi", "time", "date", "dbm"].contains { name.lowercased().contains($0) }
    }
    guard columns.isSuperset(of: ["uuid", "major", "minor"]), !isHeard else { return nil }
    self = .registry
  }

  private static let magic: [(bytes: [UInt8], kind: KnownFile)] = [
    ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], .trace),
    (Array("btsnoop\0".utf8), .recording),
    ([0xD4, 0xC3, 0xB2, 0xA1], .recording), ([0xA1, 0xB2, 0xC3, 0xD4], .recording),
    ([0x0A, 0x0D, 0x0D, 0x0A], .recording),
  ]

  private static let formats: [(name: String, kind: KnownFile)] = [
    ("part", .part), ("calibration", .calibration), ("measured-power", .powerReport),
    ("registry", .registry),
  ]

  private static let tables: [(columns: [String], kind: KnownFile)] = [
    (["node", "role"], .nodes), (["node", "time_s", "x_m", "y_m"], .truth),
    (["time_s", "true_rssi_dbm"], .trueLevels), (["distance_m", "rssi_dbm"], .readings),
    (["time_s", "rssi_dbm"], .sightings),
  ]

  /// The columns by which a table is recognised; empty for files of other kinds.
  package var columns: [String] { Self.tables.first { $0.kind == self }?.columns ?? [] }

  /// The kind in words, with its article.
  package var name: String { words.name }

  /// The kind in words, and the place where such a file belongs.
  private var words: (name: String, use: String) {
    switch self {
    case .trace: ("a trace", "give it as an input")
    case .recording: ("a recording", "convert it with `rssi import`")
    case .site: ("a site file", "use it as `site`")
    case .registry: ("a registry", "use it as `registry`")
    case .calibration: ("a calibration", "use it as `calibration`")
    case .powerReport:
      ("a report of `rssi calibrate`", "`rssi advertise` reads it as `calibration`")
    case .part: ("a part", "give all parts to the stage that wrote it, with `merge`")
    case .nodes: ("a table of nodes", "use it as `nodes` of `rssi import`")
    case .truth: ("a table of true positions", "use it as `truth` of `rssi import`")
    case .trueLevels: ("a table of true levels", "use it as `truth` of `rssi import`")
    case .readings:
      ("a table of readings at known distances", "give it to `rssi fit` or `rssi import`")
    case .sightings: ("a table of sightings", "convert it with `rssi import`")
    }
  }

  /// Returns the error of such a file in place of another.
  ///
  /// - Parameter expected: The expected kind in words, with its article.
  package func misplaced(_ path: String, for expected: String) -> RSSIError {
    RSSIError(
      .badInput, "this is \(words.name), not \(expected)", in: path, advice: words.use)
  }

  /// Returns the error of a file that is recognised as another kind than expected; `nil` for a file
  /// of an expected or of unknown kind.
  package static func misplaced(
    _ path: String, for expected: String, of kinds: [KnownFile]
  ) -> RSSIError? {
    guard let kind = KnownFile(path: path), !kinds.contains(kind) else { return nil }
    return kind.misplaced(path, for: expected)
  }
}

extension Substring {
  /// The text without white space at its ends.
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
