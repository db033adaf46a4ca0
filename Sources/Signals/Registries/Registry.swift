public import Advertising
package import Sightings
internal import Support
internal import Synchronization

/// A table of beacons, looked up by their identity, or else by an address that they were sent from;
/// an entry by identity precedes one by address.
///
/// A look-up is O(1).
public struct Registry: Sendable {
  /// The beacons, one entry each.
  public private(set) var beacons: [RegisteredBeacon] = []
  /// The file that a user gave for this run; `nil` for the stored registry, which need not match
  /// the recording.
  public var origin: String?
  private var places: [BeaconIdentity: Int] = [:]
  /// The addresses of entries.
  public private(set) var addresses: Set<UInt64> = []
  private let sent = SentBeacons()
  private let inTraces = NamedInTraces()

  /// Creates an empty registry.
  public init() {}

  /// Creates a registry of beacons.
  ///
  /// - Parameter beacons: The beacons; of two with one identity, the later counts.
  public init(_ beacons: [RegisteredBeacon]) {
    for beacon in beacons {
      if let place = places[beacon.identity] {
        self.beacons[place] = beacon
      } else {
        places[beacon.identity] = self.beacons.count
        self.beacons.append(beacon)
      }
      if case .address(let bits) = beacon.identity { addresses.insert(bits) }
    }
  }

  /// Returns the entry of an identity, or nil if there is none.
  public subscript(identity: BeaconIdentity) -> RegisteredBeacon? {
    places[identity].map { beacons[$0] }
  }

  /// Returns the beacon of an identity as recordings write it, such as `ibeacon:UUID:1:2`.
  public subscript(id id: String) -> RegisteredBeacon? {
    guard !beacons.isEmpty else { return nil }
    if let identity = BeaconPattern(id)?.identity, let known = self[identity] { return known }
    return addresses.isEmpty ? nil : sent.address(of: id).flatMap { self[.address($0)] }
  }

  /// Returns the beacon of an identity, else of the address that a sighting of it was sent from.
  public func beacon(id: String, sentFrom address: UInt64) -> RegisteredBeacon? {
    if let identity = BeaconPattern(id)?.identity, let known = self[identity] { return known }
    return self[.address(address)]
  }

  /// Records which beacons were sent from the addresses of entries, for this registry and all its
  /// copies: stages record it while others print names.
  ///
  /// - Parameter known: The number of senders in the tables that were already recorded.
  package func learn(_ catalogue: Catalogue, from known: Int = 0) {
    guard !addresses.isEmpty else { return }
    for sender in catalogue.senders.dropFirst(known) where addresses.contains(sender.address) {
      sent.add(catalogue.beacons[Int(sender.beacon)].id, from: sender.address)
    }
  }

  /// Records that a beacon was sent from some addresses.
  public func learn(_ id: String, sentFrom addresses: [UInt64]) {
    for address in addresses where self.addresses.contains(address) { sent.add(id, from: address) }
  }

  /// Removes the senders of beacons that are no longer in the tables.
  package func forget(allBut catalogue: Catalogue) {
    guard !addresses.isEmpty else { return }
    sent.keep(catalogue.beacons.lazy.map(\.id))
  }

  /// Returns a warning if a user's registry has no entry of the received beacons, or `nil` if it
  /// has.
  ///
  /// - Parameter senders: The received addresses, one of which may be misspelled in the registry.
  public func doubt(
    heard: some Sequence<String>, senders: some Sequence<UInt64> = []
  ) -> String? {
    guard let origin, !beacons.isEmpty else { return nil }
    var names: [String] = []
    for id in heard {
      if self[id: id] != nil { return nil }
      names.append(id)
    }
    // Among few entries, one may be misspelled.
    let candidates = names.prefix(100) + senders.prefix(100).map { "\(BeaconIdentity.address($0))" }
    let hint =
      beacons.prefix(50).lazy.map { didYouMean("\($0.identity)", among: Array(candidates)) }
      .first { !$0.isEmpty }
    return "no entry of \(origin) was heard; heard: \(listed(names, 5))\(hint ?? "")"
  }
}

extension Registry {
  /// Records the names that a trace has for its beacons, for this registry and all its copies.
  package func learnNames(of catalogue: Catalogue) {
    inTraces.add(catalogue.beacons.lazy.filter { !$0.name.isEmpty })
  }

  /// The names of beacons in traces, and of entries.
  package var names: [String] { inTraces.names + beacons.compactMap(\.name) }

  /// Returns the beacons with a name, as recordings write them: those of its entries, else those of
  /// traces whose names were recorded.
  package func beacons(named name: String) -> [String] {
    let entries = beacons.filter { $0.name == name }.map(\.identity.description)
    return entries.isEmpty ? inTraces.ids(of: name) : entries
  }
}

/// The beacons of traces by their names.
private final class NamedInTraces: Sendable {
  private let ids = Mutex<[String: Set<String>]>([:])

  func add(_ nodes: some Sequence<Node>) {
    ids.withLock { ids in
      // Screens and reports show the name without control characters.
      for node in nodes {
        for name in Set([node.name, CleanText(node.name).text]) {
          ids[name, default: []].insert(node.id)
        }
      }
    }
  }

  var names: [String] { ids.withLock { $0.keys.sorted() } }

  func ids(of name: String) -> [String] { ids.withLock { $0[name]?.sorted() ?? [] } }
}

extension Registry: Equatable {
  public static func == (a: Registry, b: Registry) -> Bool { a.beacons == b.beacons }
}

/// The addresses from which beacons with their own identities were sent.
private final class SentBeacons: Sendable {
  private let addresses = Mutex<[String: UInt64]>([:])

  func address(of id: String) -> UInt64? { addresses.withLock { $0[id] } }

  func add(_ id: String, from address: UInt64) {
    addresses.withLock { known in
      if known[id] == nil { known[id] = address }
    }
  }

  func keep(_ ids: some Sequence<String>) {
    addresses.withLock { known in
      guard !known.isEmpty else { return }
      let ids = Set(ids)
      known = known.filter { ids.contains($0.key) }
    }
  }
}

extension Registry {
  /// Sets the registry's properties of the received beacons: a name and a place if they have none,
  /// and a measured power.
  package func describeBeacons<Sink: SightingSink & ~Copyable>(of builder: inout TraceBuilder<Sink>)
  {
    learn(builder.catalogue)
    for (index, node) in builder.catalogue.beacons.enumerated() {
      guard let known = self[id: node.id] else { continue }
      builder.update(.beacon, UInt32(index)) { node in
        if node.name.isEmpty, let name = known.name { node.name = name }
        if !node.isAnchor, let x = known.x, let y = known.y {
          node.x = x
          node.y = y
          node.z = known.z ?? node.z
        }
        // A power measured on this beacon is more accurate than the advertised one of its kind.
        if let power = known.measuredPower { node.measuredPower = Float(power) }
      }
    }
  }
}
