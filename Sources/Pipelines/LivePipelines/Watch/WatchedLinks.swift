import Sightings

/// The numbers of links, and of links that were sent from addresses in regions.
///
/// A number of -1 is that of a link of no region.
struct WatchedLinks {
  private var numbers: [Link: Int] = [:]
  private var sent: [SentLink: Int] = [:]

  private struct SentLink: Hashable {
    var link: Link
    var advertiser: UInt32
  }

  /// The number of a link; nil if it has none yet.
  ///
  /// - Parameter advertiser: The sender, if a region names its address.
  subscript(link: Link, advertiser: UInt32?) -> Int? {
    get {
      advertiser.map { sent[SentLink(link: link, advertiser: $0)] } ?? numbers[link]
    }
    set {
      if let advertiser {
        sent[SentLink(link: link, advertiser: advertiser)] = newValue
      } else {
        numbers[link] = newValue
      }
    }
  }

  /// Adds the beacons and the senders of the links whose number fulfils a condition.
  func add(to rows: inout RowsInUse, where isInUse: (Int) -> Bool) {
    for (link, number) in numbers where isInUse(number) { rows.beacons.insert(link.beacon) }
    for (link, number) in sent where isInUse(number) {
      rows.beacons.insert(link.link.beacon)
      rows.advertisers.insert(link.advertiser)
    }
  }

  /// Forgets the links of removed beacons, and numbers the others from 0.
  ///
  /// - Returns: The old number of each new one.
  mutating func renumber(_ renumbering: Renumbering) -> [Int] {
    numbers = renumbering.links(numbers)
    sent = Dictionary(
      uniqueKeysWithValues: sent.lazy.compactMap { link, number in
        guard let its = renumbering.link(link.link),
          let advertiser = renumbering.advertiser(link.advertiser)
        else { return nil }
        return (SentLink(link: its, advertiser: advertiser), number)
      })
    let kept = Set(numbers.values).union(sent.values).filter { $0 >= 0 }.sorted()
    let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    numbers = numbers.mapValues { places[$0] ?? -1 }
    sent = sent.mapValues { places[$0] ?? -1 }
    return kept
  }
}
