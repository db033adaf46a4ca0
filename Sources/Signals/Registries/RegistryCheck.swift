public import Advertising
internal import Geometry
internal import Glibc
internal import Sightings

/// The findings about a registry.
public struct RegistryCheck: Sendable {
  /// The severity of a finding.
  public enum Severity: String, Sendable { case error, warning }

  /// The kind of a finding.
  public enum Kind: String, Sendable {
    /// An entry could not be read and was excluded.
    case badEntry = "bad-entry"
    /// Several entries have one identity.
    case sameIdentity = "same-identity"
    /// Several entries have one name.
    case sameName = "same-name"
    /// Several entries have one place.
    case samePlace = "same-place"
    /// A measured power is implausible.
    case impossiblePower = "impossible-power"
    /// A range is beyond that of the measured power in free space.
    case unreachableRange = "unreachable-range"
    /// A place is outside the rooms of the site.
    case outsideRooms = "outside-rooms"
    /// The distances between places are implausible in metres.
    case impossiblePlaces = "impossible-places"
    /// Characters that control a terminal were removed from texts.
    case unclean
    /// The name of a field is similar to a known one, so it became a note.
    case unknownKey = "unknown-key"
  }

  /// A finding about entries of the registry.
  public struct Finding: Equatable, Sendable {
    /// The severity of the finding.
    public var severity: Severity
    /// The kind of the finding.
    public var kind: Kind
    /// The places of the entries in the document, such as `entry 3`.
    public var places: [String]
    /// The identities of these entries.
    public var beacons: [BeaconIdentity]
    /// The description of the finding, as one sentence.
    public var message: String
  }

  /// The sensitivity of the best radios, in dBm (they specify −97 to −104 dBm at 1 Mbit/s).
  public static let sensitivity = -104.0

  /// The findings.
  public private(set) var findings: [Finding] = []

  /// Checks for duplicates and implausible values. O(n).
  ///
  /// - Parameter isInRoom: A predicate that is true for a place in a room; `nil` if rooms are
  ///   unknown.
  /// - Throws: Any error of `isInRoom`.
  public init(
    _ document: RegistryDocument, isInRoom: ((_ x: Double, _ y: Double) throws -> Bool)? = nil
  ) throws {
    for refusal in document.refused {
      add(.error, .badEntry, [refusal.place], [], "\(refusal.place) is excluded: \(refusal.reason)")
    }
    if document.cleaned > 0 {
      add(
        .warning, .unclean, [], [],
        "control characters were removed from texts; entries: \(document.cleaned)")
    }
    if let doubts = document.doubts { add(.warning, .unknownKey, [], [], doubts) }
    findShared(document, .error, .sameIdentity, \.identity) {
      "share one identity, of which the last counts: \($0)"
    }
    findShared(document, .warning, .sameName, \.name) { "share one name: \"\($0)\"" }
    findShared(document, .warning, .samePlace, Place.init) { "share one place: \($0)" }
    judgePlaces(document)
    for (beacon, place) in zip(document.beacons, document.places) {
      judgePower(beacon, place)
      guard let isInRoom, let x = beacon.x, let y = beacon.y, try !isInRoom(x, y) else { continue }
      add(
        .warning, .outsideRooms, [place], [beacon.identity],
        "\(place), \(beacon.label), is at \(Place(x, y, beacon.z)), outside the rooms of the site")
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
        ? "more than any beacon has: is it the power at 0 m (tx_power_0m_dbm)?"
        : "which no radio can receive"
      return add(
        .error, .impossiblePower, [place], [beacon.identity],
        "\(place), \(beacon.label), has \(power) dBm at 1 m, \(advice)")
    }
    guard let range = beacon.range else { return }
    // Free space, n = 2, gives the longest range.
    let reach = reachInFreeSpace(power)
    guard range > reach else { return }
    add(
      .warning, .unreachableRange, [place], [beacon.identity],
      "\(place), \(beacon.label), has a range of \(range) m, but with \(power) dBm at 1 m it "
        + "cannot be received beyond \(reach.rounded()) m in free space"
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
    // Duplicate entries of one beacon share a name and a place; that is reported once.
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

/// Returns the distance in metres at which a level falls to the sensitivity of radios in free
/// space.
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
