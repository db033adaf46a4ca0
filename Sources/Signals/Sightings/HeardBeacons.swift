internal import Advertising
package import Support

/// The beacons of a recording, found by what people write for them.
///
/// A text means the beacon of that very name; else that of its identity, in any spelling; else the
/// only one that it shortens. An address means, beside the beacon that it is, all that was sent
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

  /// The rows of the beacons that a text means; none where none was heard.
  ///
  /// - Throws: `RSSIError` where a shortened identity means several.
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

/// The refusal of a shortened identity that several beacons have.
package func ambiguous(
  _ text: String, _ candidates: [String], _ kind: RSSIError.Kind = .badInput
) -> RSSIError {
  RSSIError(
    kind, "\(text) means \(candidates.count) of the beacons",
    advice: "give the identity of one: \(listed(candidates, 5))")
}

/// Written names of beacons, found by what is received: the name that means a beacon is the same
/// text, else the same identity in any spelling, else an address that it is sent from.
package struct WrittenBeacons: Sendable {
  private var names: [String: Int] = [:]
  private var identities: [BeaconIdentity: Int] = [:]
  /// True if one of them is an address, so that senders count.
  package private(set) var hasAddresses = false

  /// - Parameter names: in their order; of two that mean one beacon the first counts.
  package init(_ names: some Sequence<String>) {
    for (number, name) in names.enumerated() {
      self.names[name] = self.names[name] ?? number
      guard let identity = BeaconPattern(name)?.identity else { continue }
      identities[identity] = identities[identity] ?? number
      if case .address = identity { hasAddresses = true }
    }
  }

  /// The number of the name that means a beacon; nil where none does.
  ///
  /// - Parameters:
  ///   - id: of the beacon, as recordings write it.
  ///   - addresses: from which it is sent.
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
  /// The address of an advertiser; nil where a sighting shows none.
  package func sender(_ advertiser: UInt32) -> UInt64? {
    guard advertiser < advertisers.count else { return nil }
    let address = advertisers[Int(advertiser)]
    return address.type == DeviceAddress.anonymousType ? nil : address.bits
  }

  /// The addresses that a beacon was sent from. O(senders).
  package func addresses(ofBeacon number: UInt32) -> [UInt64] {
    senders.filter { $0.beacon == number }.map(\.address)
  }
}

/// The addresses among written names.
package func addresses(among names: some Sequence<String>) -> Set<UInt64> {
  Set(
    names.compactMap { name in
      if case .address(let bits) = BeaconPattern(name) { bits } else { nil }
    })
}
