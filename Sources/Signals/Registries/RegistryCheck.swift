public import Advertising
internal import Geometry
internal import Glibc
internal import Sightings

/// The doubts about a registry.
public struct RegistryCheck: Sendable {
  /// The severity of a finding.
  public enum Severity: String, Sendable { case error, warning }

  /// The kind of a finding.
  public enum Kind: String, Sendable {
    /// An entry that cannot be read is left out.
    case badEntry = "bad-entry"
    /// Several entries have one identity.
    case sameIdentity = "same-identity"
    /// Several entries have one name.
    case sameName = "same-name"
    /// Several entries have one place.
    case samePlace = "same-place"
    /// A measured power is one that no beacon has.
    case impossiblePower = "impossible-power"
    /// A range is beyond the reach of the measured power in free space.
    case unreachableRange = "unreachable-range"
    /// A place is in no room of the site.
    case outsideRooms = "outside-rooms"
    /// Places are too far apart or too near to be in metres.
    case impossiblePlaces = "impossible-places"
    /// Characters that steer a terminal are left out of texts.
    case unclean
    /// A field is nearly named like another one, and became a note.
    case unknownKey = "unknown-key"
  }

  /// A doubt about entries of the registry.
  public struct Finding: Equatable, Sendable {
    /// The severity of the doubt.
    public var severity: Severity
    /// The kind of the doubt.
    public var kind: Kind
    /// The places of the entries in the document, such as `entry 3`.
    public var places: [String]
    /// The identities of these entries.
    public var beacons: [BeaconIdentity]
    /// The description of the doubt, as one sentence.
    public var message: String
  }

  /// The lowest level that a radio receives, in dBm (the best state −97 to −104 dBm at 1 Mbit/s).
  public static let sensitivity = -104.0

  /// The doubts that were found.
  public private(set) var findings: [Finding] = []

  /// Looks for duplicates and for values that cannot be. O(n).
  ///
  /// - Parameter isInRoom: whether a place in metres is in a room; nil = rooms are not known.
  /// - Throws: what `isInRoom` throws.
  public init(
    _ document: RegistryDocument, isInRoom: ((_ x: Double, _ y: Double) throws -> Bool)? = nil
  ) throws {
    for refusal in document.refused {
      add(.error, .badEntry, [refusal.place], [], "\(refusal.place) is left out: \(refusal.reason)")
    }
    if document.cleaned > 0 {
      add(
        .warning, .unclean, [], [],
        "characters that steer a terminal are left out of texts; entries: \(document.cleaned)")
    }
    if let doubts = document.doubts { add(.warning, .unknownKey, [], [], doubts) }
    findShared(document, .error, .sameIdentity, \.identity) {
      "have one identity, of which the last counts: \($0)"
    }
    findShared(document, .warning, .sameName, \.name) { "have one name: \"\($0)\"" }
    findShared(document, .warning, .samePlace, Place.init) { "are at one place: \($0)" }
    judgePlaces(document)
    for (beacon, place) in zip(document.beacons, document.places) {
      judgePower(beacon, place)
      guard let isInRoom, let x = beacon.x, let y = beacon.y, try !isInRoom(x, y) else { continue }
      add(
        .warning, .outsideRooms, [place], [beacon.identity],
        "\(place), \(beacon.label), is at \(Place(x, y, beacon.z)), in no room of the site")
    }
  }

  /// Returns the number of findings of a severity.
  public func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }

  private mutating func judgePlaces(_ document: RegistryDocument) {
    let places = document.beacons.compactMap { beacon in
      beacon.x.flatMap { x in beacon.y.map { Point(x: x, y: $0) } }
    }
    guard let doubt = PlaceScale.doubt(anchors: places) else { return }
    add(doubt.isCertain ? .error : .warning, .impossiblePlaces, [], [], doubt.words)
  }

  private mutating func judgePower(_ beacon: RegisteredBeacon, _ place: String) {
    guard let power = beacon.measuredPower else { return }
    let plausible = AdvertisedPower.plausible
    guard plausible.contains(power) else {
      let advice =
        power > plausible.upperBound
        ? "more than any beacon gives there: is it the power at 0 m (tx_power_0m_dbm)?"
        : "which no radio hears"
      return add(
        .error, .impossiblePower, [place], [beacon.identity],
        "\(place), \(beacon.label), has \(power) dBm at 1 m, \(advice)")
    }
    guard let range = beacon.range else { return }
    // Free space, n = 2, is the farthest that a level carries.
    let reach = reachInFreeSpace(power)
    guard range > reach else { return }
    add(
      .warning, .unreachableRange, [place], [beacon.identity],
      "\(place), \(beacon.label), has a range of \(range) m, but with \(power) dBm at 1 m nobody "
        + "hears it beyond \(reach.rounded()) m in free space"
    )
  }

  private mutating func findShared<Key: Hashable>(
    _ document: RegistryDocument, _ severity: Severity, _ kind: Kind,
    _ key: (RegisteredBeacon) -> Key?, _ words: (Key) -> String
  ) {
    var owners: [Key: [Int]] = [:]
    for (index, beacon) in document.beacons.enumerated() {
      if let key = key(beacon) { owners[key, default: []].append(index) }
    }
    // Two entries of one beacon share a name and a place; that is stated once.
    let shared = owners.filter { _, owners in
      owners.count > 1
        && (kind == .sameIdentity || Set(owners.map { document.beacons[$0].identity }).count > 1)
    }
    for (key, owners) in shared.sorted(by: { $0.value[0] < $1.value[0] }) {
      let places = owners.map { document.places[$0] }
      let shown =
        places.prefix(5).joined(separator: ", ") + (places.count > 5 ? ", … (\(places.count))" : "")
      add(
        severity, kind, places, owners.map { document.beacons[$0].identity },
        "\(shown) \(words(key))")
    }
  }

  private mutating func add(
    _ severity: Severity, _ kind: Kind, _ places: [String], _ beacons: [BeaconIdentity],
    _ message: String
  ) {
    findings.append(
      Finding(severity: severity, kind: kind, places: places, beacons: beacons, message: message))
  }
}

/// Metres at which a level has fallen to what radios still hear, nothing in between.
private func reachInFreeSpace(_ power: Double) -> Double {
  pow(10, (power - RegistryCheck.sensitivity) / 20)
}

/// The place of a beacon, to the millimetre.
private struct Place: Hashable, CustomStringConvertible {
  var x, y, z: Int64?

  init?(_ beacon: RegisteredBeacon) {
    guard let x = beacon.x, let y = beacon.y else { return nil }
    self.init(x, y, beacon.z)
  }

  init(_ x: Double, _ y: Double, _ z: Double?) {
    func millimetres(_ metres: Double) -> Int64 { Int64((metres * 1000).rounded()) }
    (self.x, self.y, self.z) = (millimetres(x), millimetres(y), z.map(millimetres))
  }

  var description: String {
    "(" + [x, y, z].compactMap(\.self).map { "\(Double($0) / 1000)" }.joined(separator: ", ")
      + ") m"
  }
}
