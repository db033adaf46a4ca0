internal import Glibc
internal import Recordings
internal import Sightings
import Support

/// A list of beacons as a document gives it: what was taken of it, and what was not.
///
/// Entries stand as they were written, several of one beacon included; `Registry` finds one by its
/// identity.
public struct RegistryDocument: Equatable, Sendable {
  /// The beacons of the entries that could be read.
  public var beacons: [RegisteredBeacon] = []
  /// The place of each of them: `entry 17`, or `line 18`.
  public var places: [String] = []
  /// The entries that could not be read, with the reasons.
  public var refused: [EntryRefusal] = []
  /// Entries of whose texts characters were left out that steer a terminal.
  public var cleaned = 0
  /// Fields that became notes though they are nearly those of others, each once.
  private var fieldDoubts: [FieldDoubt] = []
  /// The source that it was fetched from; nil = not fetched, or not stated.
  public var source: RegistrySource?

  /// Creates a document from beacons.
  public init(_ beacons: [RegisteredBeacon] = []) {
    self.beacons = beacons
    places = beacons.indices.map { "entry \($0 + 1)" }
  }

  /// The registry of the beacons, in which the last entry of an identity counts.
  public var registry: Registry { Registry(beacons) }

  /// Takes an entry, or notes why not.
  mutating func take(_ given: EntryFields, at place: String) {
    var fields = given
    // A table of nodes has receivers too.
    switch fields.take(["role"])?.text {
    case "receiver": return
    case nil, "beacon": break
    case .some(let role):
      return refuse(EntryProblem("the role is \(quoted(role)), not beacon or receiver"), at: place)
    }
    do throws(EntryProblem) {
      let (beacon, isCleaned, doubts) = try RegisteredBeacon.read(fields)
      beacons.append(beacon)
      places.append(place)
      if isCleaned { cleaned += 1 }
      for doubt in doubts where !fieldDoubts.contains(doubt) && fieldDoubts.count < 16 {
        fieldDoubts.append(doubt)
      }
    } catch { refuse(error, at: place) }
  }

  mutating func refuse(_ problem: EntryProblem, at place: String) {
    refused.append(EntryRefusal(place: place, reason: problem.words))
  }

  /// A clause about fields that became notes, though others are probably meant; nil where there is
  /// none.
  public var doubts: String? {
    guard !fieldDoubts.isEmpty else { return nil }
    let fields = fieldDoubts.map { "\($0.name) (\($0.hint))" }
    return "kept as notes: " + fields.joined(separator: ", ")
  }

  /// The sentence on the entries that were not taken; nil = all were.
  public var refusals: String? {
    guard !refused.isEmpty else { return nil }
    let shown = refused.prefix(5).map(\.description).joined(separator: "; ")
    return shown + (refused.count > 5 ? "; … (\(refused.count))" : "")
  }
}

extension RegistryDocument {
  /// Reads a registry file of which each entry must be right.
  ///
  /// - Throws: `RSSIError` of kind `badInput` that lists the entries that are not.
  public init(whole path: String) throws {
    try self.init(path: path)
    if let refusals {
      throw RSSIError(
        .badInput, "\(path): \(refusals): correct it; `rssi registry check` lists all")
    }
  }
}

/// The origin of a registry, so that the next fetch need only ask whether it changed.
public struct RegistrySource: Equatable, Sendable {
  /// Without a user and a password.
  public var url: String
  /// The server's name of this state of the list.
  public var etag: String?
  /// The time of the last change as the server writes it.
  public var lastModified: String?
  /// The time of the fetch, ISO 8601.
  public var fetched: String
  /// The digest of the bytes that came, in hexadecimal.
  public var sha256: String

  /// Creates an origin from its URL, the time of the fetch and the SHA-256 of the document.
  public init(url: String, fetched: String, sha256: String) {
    self.url = url
    self.fetched = fetched
    self.sha256 = sha256
  }
}

/// The limits of a registry: more is a mistake, or someone who means harm.
public enum RegistryLimits: Sendable {
  /// The largest size of a document, in bytes.
  public static let bytes = 64 << 20
  /// JSON values of a document; bounds the memory that one of empty lists would take.
  static let values = 8_000_000
  /// The largest number of beacons.
  public static let beacons = 1_000_000
  /// UTF-8 bytes of a name or an identity, as many as a trace file keeps.
  static let nameBytes = TextLimit.name.bytes
  /// UTF-8 bytes of a description or of one note.
  static let textBytes = 4096
  static let notes = 64
  /// dBm.
  static let power = -127.0...20.0
  /// Metres from the origin.
  static let coordinate = 1e6
}

extension RegistryDocument {
  /// Reads a file, JSON or a CSV table, distinguished by its first character; `-` is standard
  /// input.
  ///
  /// - Throws: `RSSIError`, or `RSSIError` for a file that cannot be read or a table that
  ///   is none.
  public init(path: String) throws {
    if path != "-", try !Self.isJSON(path) {
      try self.init(csv: path)
    } else {
      try self.init(json: Self.bytes(of: path), name: path == "-" ? "the standard input" : path)
    }
  }

  /// Reads a table: columns are named as in JSON, those that are not known become notes.
  init(csv path: String) throws {
    self.init()
    var names: [String] = []
    var table = try SmallTable(path) {
      names = $0
      return TableHeader.Columns(required: [], optional: names)
    }
    while try table.next() {
      guard places.count + refused.count < RegistryLimits.beacons else {
        throw table.problem(
          "more than \(RegistryLimits.beacons) beacons are too many for a registry")
      }
      var fields = EntryFields()
      for name in names { fields.add(name, table.text(name)) }
      take(fields, at: "line \(table.line)")
    }
  }

  /// Returns true if a file begins as a JSON list or object does.
  private static func isJSON(_ path: String) throws -> Bool {
    let start = try bytes(of: path, atMost: 512)
    let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The bytes of a file, one more than is allowed where it is too long.
  private static func bytes(
    of path: String, atMost limit: Int = RegistryLimits.bytes + 1
  ) throws -> [UInt8] {
    let bytes = try contents(ofFile: path, atMost: limit)
    guard !bytes.isEmpty else { throw RSSIError.empty(path: path) }
    return bytes
  }
}

extension RegistryDocument {
  /// The document as files keep it: JSON, one beacon a line, so that two can be compared line by
  /// line.
  ///
  /// The same beacons give the same bytes.
  public var text: String {
    var text = "{\"format\": \"rssi-registry\", \"format_version\": 1,\n"
    if let source { text += " \"source\": \(source.json),\n" }
    text += " \"beacons\": ["
    for (index, beacon) in beacons.enumerated() {
      text += (index == 0 ? "\n  " : ",\n  ") + beacon.json
    }
    return text + (beacons.isEmpty ? "]}\n" : "\n ]}\n")
  }
}

extension RegistrySource {
  fileprivate var json: String {
    var json = JSONWriter(.spaced)
    json.object { json in
      json.member("url", url)
      if let etag { json.member("etag", etag) }
      if let lastModified { json.member("last_modified", lastModified) }
      json.member("fetched", fetched)
      json.member("sha256", sha256)
    }
    return json.text
  }
}
