package import PathLoss
package import Sightings
import Support

/// The levels of every beacon in every pose, gathered from sightings.
///
/// A pose is a stay of one beacon and one receiver at a known distance. Where a file knows no
/// stays, all that it has of a link is one pose, whose distance has to be given.
package struct PoseTable {
  package struct Pose {
    var beacon: String
    var receiver: String
    /// How the device was held, or the trace where that is not known.
    var name: String
    /// Metres; nil until it is known.
    var distance: Double?
    var levels = PoseLevels()
    /// First and last packet, nanoseconds since the Unix epoch.
    var start = Int64.max
    var end = Int64.min
  }

  /// What is known of a link, looked up once.
  private struct KnownLink {
    var beacon: Int
    var receiver: String
    /// Why its sightings are left out; nil where they are taken.
    var exclusion: String?
    /// Its pose outside of stays.
    var pose: Int?
  }

  private(set) var poses: [Pose] = []
  /// What each beacon states as its measured power, dBm.
  private(set) var stated: [String: Double] = [:]
  /// Receivers whose levels are not of single packets.
  private(set) var doubts: [String: Radio.RSSIKind] = [:]
  /// Sightings left out, by reason.
  package private(set) var excluded: [String: Int] = [:]

  /// The names of all series, taken or not.
  private(set) var seenSeries: Set<String> = []

  private let receiver: String?
  private let series: Set<String>
  private var addressed: AddressedBeacons
  private var beacons: [(name: String, sightings: Int)] = []
  private var numbers: [String: Int] = [:]

  // What indices of the file that is being read mean.
  private var stays: [UInt32: Int] = [:]
  private var links: [Link: KnownLink] = [:]

  /// - Parameters:
  ///   - choices: the beacons asked for; others are gathered too.
  ///   - receiver: the only receiver to take; nil = all.
  ///   - series: the only series to take; empty = all.
  package init(choices: [BeaconChoice], receiver: String? = nil, series: Set<String> = []) {
    addressed = AddressedBeacons(choices)
    self.receiver = receiver
    self.series = series
  }

  /// Sightings of every beacon, in a pose or not.
  package var heard: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: beacons.filter { $0.sightings > 0 }.map { ($0.name, $0.sightings) })
  }

  /// Whether an address that was asked for sent a beacon's frames.
  func isSent(_ beacon: String, from address: UInt64) -> Bool {
    addressed.isSent(beacon, from: address)
  }

  package mutating func add(_ rows: SightingColumns, _ catalogue: Catalogue) {
    addressed.add(rows, catalogue)
    for row in 0..<rows.count {
      let key = rows.link(row)
      let link: KnownLink
      if let known = links[key] {
        link = known
      } else {
        link = open(rows, row, catalogue)
        links[key] = link
      }
      if let reason = link.exclusion {
        excluded[reason, default: 0] += 1
        continue
      }
      beacons[link.beacon].sightings += 1
      let level = rows.rssi[row]
      guard !level.isNaN else {
        excluded["no-rssi", default: 0] += 1
        continue
      }
      let pose = stays[rows.dwell[row]] ?? pose(rows, row, catalogue, key)
      poses[pose].levels.add(level, channel: rows.channel[row])
      poses[pose].start = min(poses[pose].start, rows.time[row])
      poses[pose].end = max(poses[pose].end, rows.time[row])
    }
    for beacon in catalogue.beacons where beacon.measuredPower.isFinite {
      stated[beacon.id] = Double(beacon.measuredPower)
    }
  }

  /// Ends a file, whose indices mean nothing in the next.
  ///
  /// - Parameters:
  ///   - distance: of a file without stays, metres; nil = unknown.
  ///   - name: of a file without stays; nil = its traces'.
  /// - Throws: where the distance is missing, or is informed of a file that has its own.
  mutating func endFile(
    _ path: String, distance: Double?, name: String? = nil
  ) throws(RSSIError) {
    let file = path == "-" ? "the standard input" : path
    let open = links.values.compactMap(\.pose)
    let hasStays = !stays.isEmpty
    stays.removeAll()
    links.removeAll()
    if hasStays, let given = distance != nil ? "distance" : name != nil ? "pose" : nil {
      throw RSSIError(
        .usage,
        "`\(given)` is for files without distances, and \(file) has its own: leave it out; "
          + "`series` chooses among its series"
      )
    }
    guard !open.isEmpty else { return }
    guard !hasStays else {
      // Between two stays the beacon was carried about.
      excluded["no-distance", default: 0] += open.reduce(0) { $0 + poses[$1].levels.samples }
      return
    }
    guard let distance else {
      throw RSSIError(
        .usage,
        "\(file) does not hold the distance at which it was recorded: give it with `distance` 1m"
      )
    }
    for pose in open {
      poses[pose].distance = distance
      if let name { poses[pose].name = name }
    }
  }

  /// Forgets a pose that did not become whole; its sightings were heard all the same.
  package mutating func discard(name: String, distance: Double) {
    // Not removed: indices of open stays go on pointing into the list.
    for index in poses.indices where poses[index].name == name && poses[index].distance == distance
    {
      poses[index].distance = nil
    }
  }

  private mutating func open(_ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue)
    -> KnownLink
  {
    let name = catalogue.beacons[Int(rows.beacon[row])].id
    let receiver = catalogue.receivers[Int(rows.receiver[row])]
    let number = numbers[name] ?? beacons.count
    if number == beacons.count {
      numbers[name] = number
      beacons.append((name, 0))
    }
    if receiver.radio.rssiKind != .raw { doubts[receiver.id] = receiver.radio.rssiKind }
    let trace = catalogue.traces[Int(rows.trace[row])]
    seenSeries.insert(trace)
    var link = KnownLink(beacon: number, receiver: receiver.id)
    if !series.isEmpty, !series.contains(trace) { link.exclusion = "other-series" }
    if self.receiver ?? receiver.id != receiver.id { link.exclusion = "other-receiver" }
    return link
  }

  /// The pose of a row that begins a stay, or that belongs to none.
  private mutating func pose(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, _ key: Link
  ) -> Int {
    if let known = links[key]?.pose, rows.dwell[row] >= catalogue.dwells.count { return known }
    var pose = Pose(
      beacon: catalogue.beacons[Int(rows.beacon[row])].id,
      receiver: catalogue.receivers[Int(rows.receiver[row])].id,
      name: catalogue.traces[Int(rows.trace[row])])
    if rows.dwell[row] < catalogue.dwells.count {
      let dwell = catalogue.dwells[Int(rows.dwell[row])]
      pose.distance = dwell.distance
      if !dwell.pose.isEmpty { pose.name = dwell.pose }
      stays[rows.dwell[row]] = poses.count
    } else {
      links[key]?.pose = poses.count
    }
    poses.append(pose)
    return poses.count - 1
  }
}

extension PoseTable {
  /// The packets with a level in one pose, by beacon.
  package func levels(name: String, distance: Double) -> [String: PoseLevels] {
    poses.filter { $0.name == name && $0.distance == distance }
      .reduce(into: [:]) { levels, pose in
        // Of several receivers, the one that heard the beacon best stands for it on the screen.
        if pose.levels.samples >= levels[pose.beacon]?.samples ?? 0 {
          levels[pose.beacon] = pose.levels
        }
      }
  }
}
