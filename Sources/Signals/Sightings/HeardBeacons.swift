internal import Advertising
package import Support

/// A lookup of the beacons of a recording by the names that users write.
///
/// A text means the beacon with exactly that name, else the one with that identity in any spelling,
/// else the only one that it abbreviates. An address means, besides its own beacon, everything sent
/// from it.
package struct HeardBeacons {
  private let nodes: [Node]
  private var names: [String: Int] = [:]
  private var identities: [BeaconIdentity: Int] = [:]
  private var sent: [UInt64: [Int]] = [:]

  package init(_ catalogue: Catalogue) {
    nodes = catalogue.beacons
    for (number, node) in nodes.enumerated() {
      names[node.id] = names[node.id] ?? number
      guard let identity = BeaconPattern(node.id)?.identity else { continue }
      identities[identity] = identities[identity] ?? number
    }
    for sender in catalogue.senders { sent[sender.address, default: []].append(Int(sender.beacon)) }
  }

  /// Returns the rows of the beacons that a text means; none if none was received.
  ///
  /// - Throws: `RSSIError` if a shortened identity is ambiguous.
  package func numbers(_ text: String) throws(RSSIError) -> [Int] {
    let pattern = BeaconPattern(text)
    var found = names[text].map { [$0] } ?? []
    if case .shortened(let short) = pattern, found.isEmpty {
      found = identities.filter { short.matches($0.key) }.map(\.value).sorted()
      guard found.count < 2 else { throw ambiguous(text, found.map { nodes[$0].id }) }
    }
    guard let identity = pattern?.identity else { return found }
    if found.isEmpty, let number = identities[identity] { found = [number] }
    if case .address(let bits) = identity {
      found += (sent[bits] ?? []).filter { !found.contains($0) }
    }
    return found
  }
}

/// Returns the error of an ambiguous shortened identity.
package func ambiguous(
  _ text: String, _ candidates: [String], _ kind: RSSIError.Kind = .badInput
) -> RSSIError {
  RSSIError(
    kind, "\(text) means \(candidates.count) of the beacons",
    advice: "give the identity of one: \(listed(candidates, 5))")
}

/// A lookup of names that users wrote, by received beacons: a beacon's name is the same text, else
/// the same identity in any spelling, else an address that it is sent from.
package struct WrittenBeacons: Sendable {
  private var names: [String: Int] = [:]
  private var identities: [BeaconIdentity: Int] = [:]
  /// A Boolean value that is true if one of them is an address, so that senders matter.
  package private(set) var hasAddresses = false

  /// - Parameter names: The names in their order; of two for one beacon the first counts.
  package init(_ names: some Sequence<String>) {
    for (number, name) in names.enumerated() {
      self.names[name] = self.names[name] ?? number
      guard let identity = BeaconPattern(name)?.identity else { continue }
      identities[identity] = identities[identity] ?? number
      if case .address = identity { hasAddresses = true }
    }
  }

  /// Returns the number of the name of a beacon, or `nil` if it has none.
  ///
  /// - Parameters:
  ///   - id: The identity of the beacon, as recordings write it.
  ///   - addresses: The addresses from which it is sent.
  package func number(of id: String, sentFrom addresses: [UInt64] = []) -> Int? {
    if let number = names[id] { return number }
    guard !identities.isEmpty else { return nil }
    if let identity = BeaconPattern(id)?.identity, let number = identities[identity] {
      return number
    }
    return addresses.lazy.compactMap { identities[.address($0)] }.first
  }
}

extension Catalogue {
  /// Returns the address of an advertiser, or `nil` if a sighting has none.
  package func sender(_ advertiser: UInt32) -> UInt64? {
    guard advertiser < advertisers.count else { return nil }
    let address = advertisers[Int(advertiser)]
    return address.type == DeviceAddress.anonymousType ? nil : address.bits
  }

  /// Returns the addresses from which a beacon was sent. O(senders).
  package func addresses(ofBeacon number: UInt32) -> [UInt64] {
    senders.filter { $0.beacon == number }.map(\.address)
  }
}

/// Returns the addresses among written names.
package func addresses(among names: some Sequence<String>) -> Set<UInt64> {
  Set(
    names.compactMap { name in
      if case .address(let bits) = BeaconPattern(name) { bits } else { nil }
    })
}
