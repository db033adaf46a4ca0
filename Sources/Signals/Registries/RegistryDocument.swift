internal import Glibc
public import Recordings
internal import Sightings
import Support

/// A list of beacons from a document, with its accepted and rejected entries.
///
/// Entries are kept as written, including several of one beacon; `Registry` finds one by its
/// identity.
public struct RegistryDocument: Equatable, Sendable {
  /// The beacons of the accepted entries.
  public var beacons: [RegisteredBeacon] = []
  /// The places of the accepted entries: `entry 17`, or `line 18`.
  public var places: [String] = []
  /// The rejected entries, with the reasons.
  public var refused: [EntryRefusal] = []
  /// The number of entries from whose texts control characters were removed.
  public var cleaned = 0
  /// The fields that became notes although their names are similar to known ones, without
  /// duplicates.
  private var fieldDoubts: [FieldDoubt] = []
  /// The source of the document; `nil` if it was not fetched, or has no source.
  public var source: RegistrySource?

  /// Creates a document from beacons.
  public init(_ beacons: [RegisteredBeacon] = []) {
    self.beacons = beacons
    places = beacons.indices.map { "entry \($0 + 1)" }
  }

  /// The registry of the beacons, in which the last entry of an identity counts.
  public var registry: Registry { Registry(beacons) }

  /// Adds an entry, or records why it was rejected.
  mutating func take(_ given: EntryFields, at place: String) {
    var fields = given
    // A table of nodes may also contain receivers.
    switch fields.take(["role"])?.text {
    case "receiver": return
    case nil, "beacon": break
    case .some(let role):
      return refuse(
        EntryProblem("role must be beacon or receiver, found \(quoted(role))"), at: place)
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

  /// A clause about fields that became notes, although others were probably meant; `nil` if there
  /// are none.
  public var doubts: String? {
    guard !fieldDoubts.isEmpty else { return nil }
    let fields = fieldDoubts.map { "\($0.name) (\($0.hint))" }
    return "kept as notes: " + fields.joined(separator: ", ")
  }

  /// The sentence on the rejected entries; `nil` if there are none.
  public var refusals: String? {
    guard !refused.isEmpty else { return nil }
    let shown = refused.prefix(5).map(\.description).joined(separator: "; ")
    return shown + (refused.count > 5 ? "; … (\(refused.count))" : "")
  }
}

extension RegistryDocument {
  /// Reads a registry file in which each entry must be valid.
  ///
  /// - Throws: `RSSIError` of kind `badInput` that lists the invalid entries.
  public init(whole path: String) throws {
    try self.init(path: path)
    if let refusals {
      throw RSSIError(
        .badInput, "\(path): \(refusals): correct it; `rssi registry check` lists all")
    }
  }
}

/// The source of a registry, which lets the next fetch ask only for changes.
public struct RegistrySource: Equatable, Sendable {
  /// The URL without a user and a password.
  public var url: String
  /// The server's identifier of this version of the list.
  public var etag: String?
  /// The time of the last change, as the server writes it.
  public var lastModified: String?
  /// The time of the fetch, in ISO 8601.
  public var fetched: String
  /// The SHA-256 of the received bytes, in hexadecimal.
  public var sha256: String

  /// Creates an origin from its URL, the time of the fetch and the SHA-256 of the document.
  public init(url: String, fetched: String, sha256: String) {
    self.url = url
    self.fetched = fetched
    self.sha256 = sha256
  }
}

/// The limits of a registry; more is a mistake or an attack.
public enum RegistryLimits: Sendable {
  /// The largest size of a document, in bytes.
  public static let bytes = 64 << 20
  /// The largest number of JSON values in a document, which bounds the memory for empty lists.
  static let values = 8_000_000
  /// The largest number of beacons.
  public static let beacons = 1_000_000
  /// The largest size of a name or an identity in UTF-8 bytes, as in a trace file.
  static let nameBytes = TextLimit.name.bytes
  /// The largest size of a description or of one note, in UTF-8 bytes.
  static let textBytes = 4096
  static let notes = 64
  /// The valid powers, in dBm.
  static let power = -127.0...20.0
  /// The largest coordinate, in metres from the origin.
  static let coordinate = 1e6
}

extension RegistryDocument {
  /// Reads a JSON file or a CSV table, distinguished by its first character; `-` is standard input.
  ///
  /// - Parameter columns: the columns of a table, by the names of JSON.
  /// - Throws: `RSSIError` for a file that cannot be read or an invalid table.
  public init(path: String, columns: ColumnMap = ColumnMap()) throws {
    // A table of nodes has identities and names, too.
    if let error = KnownFile.misplaced(path, for: "a registry", of: [.registry, .nodes]) {
      throw error
    }
    if path != "-", try !Self.isJSON(path) {
      try self.init(csv: path, columns)
    } else {
      try self.init(json: Self.bytes(of: path), name: path == "-" ? "the standard input" : path)
    }
  }

  /// Reads a table with the column names of JSON; unknown columns become notes.
  init(csv path: String, _ columns: ColumnMap = ColumnMap()) throws {
    self.init()
    var names: [String] = []
    var table = try SmallTable(path, columns) {
      let mapped = Set(columns.entries.map { "\($0.origin)" })
      names = columns.entries.map(\.name) + $0.filter { columns[$0] == nil && !mapped.contains($0) }
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

  /// Returns a Boolean value that is true if a file starts like a JSON list or object.
  private static func isJSON(_ path: String) throws -> Bool {
    let start = try bytes(of: path, atMost: 512)
    let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Returns the bytes of a file, with one more than allowed if it is too long.
  private static func bytes(
    of path: String, atMost limit: Int = RegistryLimits.bytes + 1
  ) throws -> [UInt8] {
    let bytes = try contents(ofFile: path, atMost: limit)
    guard !bytes.isEmpty else { throw RSSIError.empty(path: path) }
    return bytes
  }
}

extension RegistryDocument {
  /// The document as stored in files: JSON with one beacon per line, so that two can be compared
  /// line by line.
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
