import Evaluation
import Positioning
import Sightings

/// The true distance of each sighting: from the stay it belongs to, else from positions.
struct DistanceLookup {
  private let sites: MovingNodes
  /// What the names of a link contribute, worked out once for each link and trace.
  private var links: [UInt64: Fingerprint] = [:]
  private var dwells: [Int: UInt64] = [:]

  init(_ catalogue: Catalogue) { sites = MovingNodes(catalogue) }

  /// The distance in metres, and a number for the position; nil where the distance is not known.
  ///
  /// A position is a stay of the link at a known distance; one link at one place where the moving node
  /// stood, however often; or, where it walked, one link in one trace. The number is made of names and
  /// places alone, so the same readings given twice are the same positions.
  mutating func distance(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> (distance: Double, position: UInt64)? {
    let dwell = Int(rows.dwell[row])
    if dwell < catalogue.dwells.count {
      let distance = catalogue.dwells[dwell].distance
      if let known = dwells[dwell] { return (distance, known) }
      var position = link(rows, row, catalogue)
      position.add(catalogue.traces[Int(rows.trace[row])])
      position.add(UInt64(bitPattern: catalogue.dwells[dwell].start))
      position.add(distance.bitPattern)
      dwells[dwell] = position.value
      return (distance, position.value)
    }
    guard let pair = sites.pair(rows, row),
      let target = sites.place(of: pair.target, at: rows.time[row])
    else { return nil }
    var position = link(rows, row, catalogue)
    if target.isStanding {
      position.add(target.position.x.bitPattern)
      position.add(target.position.y.bitPattern)
      position.add((target.z ?? .nan).bitPattern)
    } else {
      position.add(catalogue.traces[Int(rows.trace[row])])
    }
    let anchor = pair.anchor
    let dx = anchor.x - target.position.x
    let dy = anchor.y - target.position.y
    let dz = target.z.flatMap { anchor.z.isNaN ? nil : anchor.z - $0 } ?? 0
    return ((dx * dx + dy * dy + dz * dz).squareRoot(), position.value)
  }
}

extension DistanceLookup {
  private mutating func link(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Fingerprint {
    let key = UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
    if let known = links[key] { return known }
    var names = Fingerprint()
    names.add(catalogue.beacons[Int(rows.beacon[row])].id)
    names.add(catalogue.receivers[Int(rows.receiver[row])].id)
    links[key] = names
    return names
  }
}

/// A number for a combination of values, the same in every run (FNV-1a, 64 bits).
private struct Fingerprint {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    // So that "ab", "c" is not "a", "bc".
    add(UInt8(0xFF))
  }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
