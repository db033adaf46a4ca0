public import Advertising
public import Registries
import Sightings
public import Support

/// A beacon as a user names it: an identity or a part of one, an address, or a name in a table, a
/// trace or the registry.
public struct BeaconChoice: Sendable {
  /// The choice as the user wrote it.
  public let text: String
  /// The identities that match; empty for a name in a table, several if beacons of the registry
  /// share a name.
  public let patterns: [BeaconPattern]
  /// The beacons of tables, which have no identity, with this name in a trace.
  private let named: Set<String>
  /// A suggestion of a similar name, for a message; empty if there is none.
  let hint: String

  /// Creates a choice from a text; names are looked up in the registry, and in the traces whose
  /// names it learned.
  ///
  /// - Throws: `RSSIError` of kind `usage` for an empty text.
  public init(_ text: String, in registry: Registry = Registry()) throws(RSSIError) {
    guard !text.isEmpty else {
      throw RSSIError(.usage, "`beacon` is empty: name a beacon, or leave it out")
    }
    self.text = text
    patterns = try beaconPatterns(text, in: registry)
    named = Set(registry.beacons(named: text))
    hint =
      named.isEmpty && patterns.isEmpty
      ? didYouMean(text, among: Array(registry.names.prefix(10_000))) : ""
  }

  /// The text, or the beacons with this name: the same choice without the names of traces.
  var texts: [String] { named.isEmpty ? [text] : named.sorted() }

  /// The address, if the user named one instead of an identity; else nil.
  var address: UInt64? {
    if patterns.count == 1, case .address(let bits) = patterns[0] { bits } else { nil }
  }

  /// A Boolean value that is true if the identity is shortened; it must then match one received
  /// beacon.
  var isShortened: Bool {
    if patterns.count == 1, case .shortened = patterns[0] { true } else { false }
  }

  func matches(_ name: String) -> Bool {
    if name == text || named.contains(name) { return true }
    guard let identity = BeaconPattern(name)?.identity else { return false }
    return patterns.contains { $0.matches(identity) }
  }
}

/// The beacons that were sent from the addresses that choices name.
struct AddressedBeacons {
  private let addresses: Set<UInt64>
  private var sent: [String: Set<UInt64>] = [:]

  init(_ choices: [BeaconChoice]) { addresses = Set(choices.compactMap(\.address)) }

  func isSent(_ beacon: String, from address: UInt64) -> Bool {
    sent[beacon]?.contains(address) ?? false
  }

  mutating func add(_ rows: SightingColumns, _ catalogue: Catalogue) {
    guard !addresses.isEmpty else { return }
    for row in rows.advertiser.indices where rows.advertiser[row] < catalogue.advertisers.count {
      let address = catalogue.advertisers[Int(rows.advertiser[row])].bits
      guard addresses.contains(address) else { continue }
      sent[catalogue.beacons[Int(rows.beacon[row])].id, default: []].insert(address)
    }
  }
}
