import Geometry
import Sightings

/// The mean level of each link at each place where its moving node stood.
struct StayMeans {
  private let sites: MovingNodes
  private var numbers: [Key: Int] = [:]
  private var sums: [(sum: Double, count: Int)] = []
  /// Row by row, the stay or -1.
  private var stays: [Int] = []

  private struct Key: Hashable {
    /// Of the link in its trace.
    let link: Int
    /// The dwell at a known distance, or where the node stood.
    let dwell: UInt32
    let x: UInt64
    let y: UInt64
  }

  init(_ catalogue: Catalogue) { sites = MovingNodes(catalogue) }

  /// Whether no sighting belongs to a stay.
  var isEmpty: Bool { sums.isEmpty }

  /// Takes note of the stay that a row belongs to.
  mutating func take(_ rows: borrowing SightingColumns, _ row: Int, _ link: Int) {
    guard let key = key(rows, row, link) else { return stays.append(-1) }
    let number = numbers[key] ?? sums.count
    if number == sums.count {
      numbers[key] = number
      sums.append((0, 0))
    }
    stays.append(number)
    let rssi = Double(rows.rssi[row])
    guard !rssi.isNaN else { return }
    sums[number].sum += rssi
    sums[number].count += 1
  }

  private func key(_ rows: borrowing SightingColumns, _ row: Int, _ link: Int) -> Key? {
    if rows.dwell[row] != Sighting.none {
      return Key(link: link, dwell: rows.dwell[row], x: 0, y: 0)
    }
    guard let pair = sites.pair(rows, row),
      let place = sites.place(of: pair.target, at: rows.time[row]), place.isStanding
    else { return nil }
    return Key(
      link: link, dwell: Sighting.none, x: place.position.x.bitPattern,
      y: place.position.y.bitPattern)
  }

  /// Row by row, the mean level of the stay that it belongs to; NaN where it belongs to none.
  func means() -> [Double] {
    let means = sums.map { $0.count > 0 ? $0.sum / Double($0.count) : .nan }
    return stays.map { $0 < 0 ? .nan : means[$0] }
  }
}
