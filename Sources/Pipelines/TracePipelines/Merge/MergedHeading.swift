import Sightings
import Support
import TraceStore

/// The headings of several traces, and their contents besides rows, for the merged trace.
struct MergedHeading {
  private let readers: [TraceReader]
  private let log: any ActivityLog

  init(_ readers: [TraceReader], log: any ActivityLog) { (self.readers, self.log) = (readers, log) }

  /// - Parameter step: the merge, added to the provenance of the parts.
  /// - Throws: `RSSIError` for two calibrations.
  func heading(adding step: Provenance, withoutCalibration: Bool) throws -> TraceHeading {
    var steps: [Provenance] = []
    // Parts of one trace share its history.
    for entry in readers.flatMap(\.provenance) where !steps.contains(entry) { steps.append(entry) }
    var heading = TraceHeading(provenance: steps + [step])
    heading.start = readers.map(\.start).min()
    heading.clock = distinct(
      readers.map { $0.session == nil ? $0.clockSource : "the session's" }
    ).joined(separator: "; ")
    heading.note = distinct(readers.map(\.note).filter { !$0.isEmpty }).joined(separator: "; ")
    heading.calibration = withoutCalibration ? nil : try calibration()
    heading.filters = try filters()
    noteLosses()
    return heading
  }

  private func distinct(_ texts: [String]) -> [String] {
    texts.indices.filter { !texts[..<$0].contains(texts[$0]) }.map { texts[$0] }
  }

  private func calibration() throws -> StoredCalibration? {
    var found: (calibration: StoredCalibration, path: String)?
    for reader in readers {
      guard let calibration = try reader.calibration() else { continue }
      guard let known = found else {
        found = (calibration, reader.path)
        continue
      }
      guard known.calibration.document == calibration.document else {
        throw RSSIError(
          .badInput,
          "\(known.path) and \(reader.path) have different calibrations, and a trace has one",
          advice: "leave them out with `withoutCalibration`; `rssi fit` can merge them")
      }
    }
    return found?.calibration
  }

  /// Returns the filters that all parts have, with the same chain.
  private func filters() throws -> [StoredFilter] {
    var kept: [StoredFilter] = []
    for name in Set(readers.flatMap { $0.filterNames() }).sorted() {
      let isShared = readers.allSatisfy { $0.filterNames().contains(name) }
      guard isShared, Set(readers.map { $0.filterChain(name) }).count == 1 else {
        log.note(
          "the levels of the filter \(name) are left out: not all traces have them with the same chain"
        )
        continue
      }
      kept.append(try readers[0].filter(name))
    }
    return kept
  }

  private func noteLosses() {
    if readers.contains(where: { !$0.positionNames().isEmpty }) {
      log.note("positions are left out: `rssi locate` writes them again")
    }
    if readers.contains(where: { $0.session != nil }) {
      log.note("the parts and the clocks of the session are left out")
    }
  }
}

/// Refuses traces with one node at two places, and with contradictory floors.
struct PlaceConflicts {
  func require(_ readers: [TraceReader]) throws(RSSIError) {
    try requireSameFloors(readers)
    for nodes in [\Catalogue.beacons, \Catalogue.receivers] {
      var known: [String: (node: Node, path: String)] = [:]
      for reader in readers {
        for node in reader.catalogue[keyPath: nodes] where node.isAnchor {
          guard let other = known[node.id] else {
            known[node.id] = (node, reader.path)
            continue
          }
          guard Self.isSamePlace(node, other.node) else {
            throw RSSIError(
              .badInput,
              "\(node.id) is at \(Self.place(other.node)) in \(other.path), and at "
                + "\(Self.place(node)) in \(reader.path)",
              advice: "import one of them again with the places of the other")
          }
        }
      }
    }
  }

  private func requireSameFloors(_ readers: [TraceReader]) throws(RSSIError) {
    var floors: [String: (floor: Floor, path: String)] = [:]
    for reader in readers {
      for floor in reader.catalogue.floors {
        guard let known = floors.updateValue((floor, reader.path), forKey: floor.name),
          let (property, its, own) = known.floor.contradiction(to: floor)
        else { continue }
        throw RSSIError(
          .badInput,
          "the \(property) of floor \"\(floor.name)\" is \(its) in \(known.path), and \(own) in "
            + reader.path,
          advice: "import one of them again with the floors of the other")
      }
    }
    for nodes in [\Catalogue.beacons, \Catalogue.receivers] {
      var known: [String: (floor: String, path: String)] = [:]
      for reader in readers {
        for node in reader.catalogue[keyPath: nodes] {
          guard let floor = reader.catalogue.floorName(node.floor),
            let other = known.updateValue((floor, reader.path), forKey: node.id),
            other.floor != floor
          else { continue }
          throw RSSIError(
            .badInput,
            "\(node.id) is on floor \"\(other.floor)\" in \(other.path), and on floor "
              + "\"\(floor)\" in \(reader.path)",
            advice: "import one of them again with the floor of the other")
        }
      }
    }
  }

  /// An unknown height contradicts none.
  private static func isSamePlace(_ a: Node, _ b: Node) -> Bool {
    a.x == b.x && a.y == b.y && (a.z == b.z || a.z.isNaN || b.z.isNaN)
  }

  private static func place(_ node: Node) -> String {
    "(" + [node.x, node.y, node.z].filter { !$0.isNaN }.map(plain).joined(separator: ", ") + ") m"
  }
}

/// The results of a filter for the links of several parts, by the numbers of the new trace.
struct MergedLinks {
  private struct Key: Hashable {
    var beacon: UInt32
    var receiver: UInt16
  }

  private var links: [Key: FilteredLink] = [:]
  private var order: [Key] = []
  /// The numbers of levels in the new trace.
  private var counts: [Key: UInt64] = [:]

  /// Adds the links of a part; a link of several parts has the parameters of the part with most
  /// levels.
  mutating func add(_ found: [FilteredLink], of part: TracePart) {
    for var link in found
    where Int(link.beacon) < part.beacons.count && Int(link.receiver) < part.receivers.count {
      (link.beacon, link.receiver) = (
        part.beacons[Int(link.beacon)], part.receivers[Int(link.receiver)]
      )
      guard link.beacon != Sighting.none, link.receiver != .max else { continue }
      let key = Key(beacon: link.beacon, receiver: link.receiver)
      if let known = links[key], known.samples >= link.samples { continue }
      if links[key] == nil { order.append(key) }
      links[key] = link
    }
  }

  /// Counts a level of the new trace.
  mutating func count(_ level: Float, of row: Sighting) {
    guard !level.isNaN else { return }
    counts[Key(beacon: row.beacon, receiver: row.receiver), default: 0] += 1
  }

  /// The links with a level in the new trace.
  var rows: [FilteredLink] {
    order.compactMap { key in
      guard var link = links[key], let count = counts[key] else { return nil }
      link.samples = count
      return link
    }
  }
}
