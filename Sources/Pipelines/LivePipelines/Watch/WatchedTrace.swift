import Advertising
import Proximity
import Registries
import Sightings
import Support

/// The watch of one trace, and the state of its links.
final class WatchedTrace {
  /// The number of the trace in the catalogue.
  let number: Int
  let name: String
  var watch: Watch
  var beacons: [WatchedBeacon] = []
  /// The trend of each link in a search; empty otherwise.
  var trends: [Trend] = []

  init(number: Int, name: String, watch: Watch) {
    (self.number, self.name, self.watch) = (number, name, watch)
  }

  /// Forgets all other links; these are numbered by their places in the list.
  func keep(_ links: [Int]) {
    watch.keep(links)
    beacons = links.map { beacons[$0] }
    if !trends.isEmpty { trends = links.map { trends[$0] } }
  }
}

/// The beacons that were heard, to explain why others were not.
struct WatchedStrangers {
  /// The names of beacons, for a registry that contains none of them.
  private var heard: Set<String> = []
  /// The addresses that sent them, one of which may be misspelled.
  private var senders: Set<UInt64> = []
  /// The beacons of no region, until one of a region is received.
  private var others: Set<String> = []
  private static let most = 1000

  mutating func hear(_ id: String, sentFrom sender: UInt64?, for registry: Registry) {
    if registry.origin != nil, heard.count < Self.most { heard.insert(id) }
    if let sender, senders.count < Self.most { senders.insert(sender) }
  }

  mutating func leaveOut(_ id: String) { if others.count < Self.most { others.insert(id) } }

  /// Returns a note if a registry that a user named has no entry of the beacons that were heard.
  func doubt(of registry: Registry) -> String? {
    registry.doubt(heard: heard.sorted(), senders: senders.sorted())
  }

  /// Returns a clause that lists the beacons heard in place of those of regions, with a suggestion.
  func words(besides regions: [Region]) -> String {
    let asked = regions.flatMap(\.patterns).compactMap { pattern -> String? in
      guard case .iBeacon(let uuid, _, _) = pattern else { return nil }
      return "\(BeaconIdentity.iBeacon(uuid: uuid, major: 0, minor: 0))"
    }
    let short = shortIdentities(others.sorted(), besides: asked)
    let words = others.isEmpty ? "nothing was heard" : "heard: \(listed(short))"
    let patterns = regions.flatMap(\.patterns)
    guard patterns.count == 1, let identity = patterns[0].identity else { return words }
    let candidates = others.sorted() + senders.sorted().map { "\(BeaconIdentity.address($0))" }
    return words + didYouMean("\(identity)", among: candidates)
  }
}
