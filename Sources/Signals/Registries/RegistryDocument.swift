import Support

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
      let (beacon, isCleaned) = try RegisteredBeacon.read(fields)
      beacons.append(beacon)
      places.append(place)
      if isCleaned { cleaned += 1 }
    } catch { refuse(error, at: place) }
  }

  mutating func refuse(_ problem: EntryProblem, at place: String) {
    refused.append(EntryRefusal(place: place, reason: problem.words))
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
