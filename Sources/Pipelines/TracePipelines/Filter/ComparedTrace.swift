package import Evaluation
import Filtering
import Geometry
import Sightings
package import TraceStore

/// The levels of a trace in memory, with the available truth, for comparing filters.
public struct ComparedTrace: Sendable {
  /// The reference that filters are compared with.
  public enum Truth: String, Sendable {
    /// The true levels in the trace.
    case levels
    /// The mean of the levels of each link at each place where its moving node stood.
    case stays = "dwells"
    /// Sightings that filters do not see.
    case heldBack = "held-back"
  }

  /// The maximum number of sightings; more would cost memory and hardly change the figures.
  public static let limit = 5_000_000

  package private(set) var table = TrialLevels()
  /// The key of each link, by its number in the table.
  public private(set) var keys: [LinkKey] = []
  /// The reference that filters are compared with on this trace.
  public private(set) var truth = Truth.heldBack
  /// The reference of each row, in dBm, NaN if it is not known; nil = sightings are held back.
  public private(set) var levels: [Double]?
  /// A Boolean value that is true if the trace has more sightings than were taken.
  public private(set) var isCut = false

  /// Compares with sightings held back, if stays have too few.
  public mutating func holdBack() { (truth, levels) = (.heldBack, nil) }

  package init(_ reader: TraceReader) throws {
    var index = LinkIndex(reader.catalogue)
    var stays = StayMeans(reader.catalogue)
    let known = LevelPaths(reader.catalogue)
    var values: [Double] = []
    try reader.forEachBlock([.time, .link, .rssi, .channel, .stay]) { rows in
      for row in 0..<rows.count {
        guard table.count < Self.limit else {
          isCut = true
          return
        }
        let (link, isNew) = index.number(rows, row)
        if isNew {
          let place = LinkPlace(trace: Int(rows.trace[row]), receiver: Int(rows.receiver[row]))
          _ = table.addLink(place)
          keys.append(LinkKey(beacon: rows.beacon[row], receiver: rows.receiver[row]))
        }
        table.append(
          link: link, time: rows.time[row], rssi: Double(rows.rssi[row]),
          channel: rows.channel[row])
        if known.isEmpty {
          stays.take(rows, row, link)
        } else {
          values.append(known.level(keys[link], rows.trace[row], at: rows.time[row]))
        }
      }
    }
    if !known.isEmpty {
      (truth, levels) = (.levels, values)
    } else if !stays.isEmpty {
      (truth, levels) = (.stays, stays.means())
    }
  }
}

/// The true levels of links over time.
struct LevelPaths {
  private struct Key: Hashable {
    let link: LinkKey
    let trace: UInt16
  }

  private var paths: [Key: [TruthLevel]] = [:]

  init(_ catalogue: Catalogue) {
    for level in catalogue.levels where level.rssi.isFinite {
      let link = LinkKey(beacon: level.beacon, receiver: level.receiver)
      paths[Key(link: link, trace: level.trace), default: []].append(level)
    }
    for key in paths.keys { paths[key]?.sort { $0.time < $1.time } }
  }

  var isEmpty: Bool { paths.isEmpty }

  /// Returns the level of a link at a time, interpolated between known levels; NaN outside of them.
  func level(_ link: LinkKey, _ trace: UInt16, at time: Int64) -> Double {
    guard let path = paths[Key(link: link, trace: trace)] else { return .nan }
    var low = 0
    var high = path.count
    while low < high {
      let middle = (low + high) / 2
      if path[middle].time < time { low = middle + 1 } else { high = middle }
    }
    guard low < path.count else { return .nan }
    let after = path[low]
    if after.time == time { return Double(after.rssi) }
    guard low > 0 else { return .nan }
    let before = path[low - 1]
    let share =
      secondsLater(time, than: before.time) / secondsLater(after.time, than: before.time)
    return Double(before.rssi) + share * Double(after.rssi - before.rssi)
  }
}

/// The mean level of each link at each place where its moving node stood.
struct StayMeans {
  private let sites: MovingNodes
  private var numbers: [Key: Int] = [:]
  private var sums: [(sum: Double, count: Int)] = []
  /// The stay of each row, or -1.
  private var stays: [Int] = []

  private struct Key: Hashable {
    /// The number of the link in its trace.
    let link: Int
    /// The stay at a known distance, or the place at which the node stood.
    let stay: UInt32
    let x: UInt64
    let y: UInt64
  }

  init(_ catalogue: Catalogue) { sites = MovingNodes(catalogue) }

  /// A Boolean value that is true if no sighting belongs to a stay.
  var isEmpty: Bool { sums.isEmpty }

  /// Counts the stay of a row.
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
    if rows.stay[row] != Sighting.none {
      return Key(link: link, stay: rows.stay[row], x: 0, y: 0)
    }
    guard let pair = sites.pair(rows, row),
      let place = sites.place(of: pair.target, at: rows.time[row]), place.isStanding
    else { return nil }
    return Key(
      link: link, stay: Sighting.none, x: place.position.x.bitPattern,
      y: place.position.y.bitPattern)
  }

  /// Returns the mean level of the stay of each row; NaN for rows without a stay.
  func means() -> [Double] {
    let means = sums.map { $0.count > 0 ? $0.sum / Double($0.count) : .nan }
    return stays.map { $0 < 0 ? .nan : means[$0] }
  }
}
