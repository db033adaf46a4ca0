import Advertising
import Sightings
import Sites
import Support

/// Returns notes about the nodes of a table whose names the recordings do not have: if none of them
/// was heard, and if a single one nearly has the name of a node that was heard and is not in the
/// table. Other silent nodes are normal, because a recording covers a part of a site.
///
/// - Parameters:
///   - names: the names of the nodes of the table.
///   - heard: the names of the recordings, and the addresses of senders, as `addr:…`.
///   - kind: the plural of the nodes, such as `beacons`.
///   - origin: the origin of their names, such as `of the site`.
///   - senders: the addresses that were heard, one of which may be misspelled.
func unheardNodes(
  _ names: [String], among heard: [String], as kind: String, of origin: String,
  senders: [DeviceAddress] = []
) -> [String] {
  let isHeard = WrittenBeacons(heard)
  let unheard = names.filter { isHeard.number(of: $0) == nil }
  guard !unheard.isEmpty else { return [] }
  let isNamed = WrittenBeacons(names)
  let strangers = heard.filter { isNamed.number(of: $0) == nil }
  if unheard.count == names.count {
    let known = strangers + senders.prefix(100).map(\.description)
    let hint = names.count == 1 ? didYouMean(names[0], among: known) : ""
    return [
      "none of the \(names.count) \(kind) \(origin) was heard; heard: "
        + listed(shortIdentities(heard, besides: names)) + hint
    ]
  }
  let misspelled = unheard.filter { nearestName(to: $0, among: strangers) != nil }
  return misspelled.prefix(3).map {
    "\"\($0)\", one of the \(kind) \(origin), was not heard\(didYouMean($0, among: strangers))"
  }
}

extension Site {
  /// Returns notes about the anchors whose names the recordings do not have.
  func unheardAnchors(beacons: Set<String>, receivers: Set<String>) -> [String] {
    let roles = Set(anchors.map(\.role))
    let heard =
      (roles.contains(.beacon) ? beacons.sorted() : [])
      + (roles.contains(.receiver) ? receivers.sorted() : [])
    return unheardNodes(anchors.map(\.node), among: heard, as: "anchors", of: "of the site")
  }

  /// Returns notes about the anchors whose names the tables of recordings do not have.
  func unheardAnchors(in catalogues: [Catalogue]) -> [String] {
    // Beacons behind an address have their own names.
    let asked = addresses(among: anchors.map(\.node))
    let senders = asked.isEmpty ? [] : catalogues.flatMap { $0.advertisers.map(\.bits) }
    return unheardAnchors(
      beacons: Set(
        catalogues.flatMap { $0.beacons.map(\.id) }
          + asked.intersection(senders).map { "\(BeaconIdentity.address($0))" }),
      receivers: Set(catalogues.flatMap { $0.receivers.map(\.id) }))
  }
}
