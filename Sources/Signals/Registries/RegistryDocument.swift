internal import Sightings
internal import Support

/// A list of beacons as a document gives it: what was taken of it, and what was not.
///
/// Entries stand as they were written, several of one beacon included; `Registry` finds one by its
/// identity.
package struct RegistryDocument: Equatable, Sendable {
  package var beacons: [RegisteredBeacon] = []
  /// Where each of them stands: `entry 17`, or `line 18`.
  package var places: [String] = []
  package var refused: [EntryRefusal] = []
  /// Entries of whose texts characters were left out that steer a terminal.
  package var cleaned = 0
  /// Fields that became notes though they are nearly those of others, each once.
  private var fieldDoubts: [FieldDoubt] = []
  /// Where it was fetched; nil = not fetched, or not stated.
  package var source: RegistrySource?

  package init(_ beacons: [RegisteredBeacon] = []) {
    self.beacons = beacons
    places = beacons.indices.map { "entry \($0 + 1)" }
  }

  package var registry: Registry { Registry(beacons) }

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
  package var doubts: String? {
    guard !fieldDoubts.isEmpty else { return nil }
    let fields = fieldDoubts.map { "\($0.name) (\($0.hint))" }
    return "kept as notes: " + fields.joined(separator: ", ")
  }

  /// What a person is informed of the entries that were not taken; nil = all were.
  package var refusals: String? {
    guard !refused.isEmpty else { return nil }
    let shown = refused.prefix(5).map(\.description).joined(separator: "; ")
    return shown + (refused.count > 5 ? "; … (\(refused.count))" : "")
  }
}

extension RegistryDocument {
  /// Reads a registry file of which each entry must be right.
  ///
  /// - Throws: `RSSIError` of kind `badInput` that lists the entries that are not.
  package init(whole path: String) throws {
    try self.init(path: path)
    if let refusals {
      throw RSSIError(
        .badInput, "\(path): \(refusals): correct it; `rssi registry check` lists all")
    }
  }
}

/// Where a registry came from, so that the next fetch need only ask whether it changed.
package struct RegistrySource: Equatable, Sendable {
  /// Without a user and a password.
  package var url: String
  /// What the server calls this state of the list.
  package var etag: String?
  /// As the server writes it.
  package var lastModified: String?
  /// When it came, ISO 8601.
  package var fetched: String
  /// Of the bytes that came, in hexadecimal.
  package var sha256: String

  package init(url: String, fetched: String, sha256: String) {
    self.url = url
    self.fetched = fetched
    self.sha256 = sha256
  }
}

/// How much a registry may hold: more is a mistake, or someone who means harm.
package enum RegistryLimits {
  /// Bytes of a document.
  package static let bytes = 64 << 20
  /// JSON values of a document; bounds the memory that one of empty lists would take.
  static let values = 8_000_000
  package static let beacons = 1_000_000
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
