import Advertising
import Sightings

/// Which beacons were sent from the addresses that somebody asked for.
struct AddressedBeacons {
  private let addresses: Set<UInt64>
  private var sent: [String: Set<UInt64>] = [:]

  init(_ choices: [BeaconChoice]) { addresses = Set(choices.compactMap(\.address)) }

  func isSent(_ beacon: String, from address: UInt64) -> Bool {
    sent[beacon]?.contains(address) ?? false
  }

  mutating func note(_ rows: SightingColumns, _ catalogue: Catalogue) {
    guard !addresses.isEmpty else { return }
    for row in rows.advertiser.indices where rows.advertiser[row] < catalogue.advertisers.count {
      let address = catalogue.advertisers[Int(rows.advertiser[row])].bits
      guard addresses.contains(address) else { continue }
      sent[catalogue.beacons[Int(rows.beacon[row])].id, default: []].insert(address)
    }
  }
}
