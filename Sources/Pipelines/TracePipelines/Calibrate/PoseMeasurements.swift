package import PathLoss
package import Sightings
import Support

/// The levels of every beacon in every pose, gathered from sightings.
///
/// A pose is a stay of one beacon and one receiver at a known distance. Where a file knows no
/// stays, all that it has of a link is one pose, whose distance has to be given.
package struct PoseMeasurements {
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

  /// How recordings are cut into poses; nil = they are not.
  private var cut: PoseCut?
  /// Poses that a recording was cut into, in order, and which of `poses` each of them is.
  private var pieces: [[Int]] = []
  /// Those that are too short to be poses.
  private var shortPieces: Set<Int> = []

  // What indices of the file that is being read mean.
  private var stays: [UInt32: Int] = [:]
  private var links: [Link: KnownLink] = [:]
  private var piecePoses: [PieceOfLink: Int] = [:]

  /// What one link has of a piece of a recording.
  private struct PieceOfLink: Hashable {
    var link: Link
    var stay: UInt32
    var piece: Int
  }

  /// - Parameters:
  ///   - choices: the beacons asked for; others are gathered too.
  ///   - receiver: the only receiver to take; nil = all.
  ///   - series: the only series to take; empty = all.
  ///   - split: the length of the poses that recordings are cut into, nanoseconds; nil = they are not cut.
  package init(
    choices: [BeaconChoice], receiver: String? = nil, series: Set<String> = [], split: Int64? = nil
  ) {
    cut = split.map(PoseCut.init)
    addressed = AddressedBeacons(choices)
    self.receiver = receiver
    self.series = series
  }

  /// Sightings of every beacon, in a pose or not.
  package var heard: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: beacons.filter { $0.sightings > 0 }.map { ($0.name, $0.sightings) })
  }

  /// Returns whether an address that was asked for sent a beacon's frames.
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
      let place = cut?.place(rows.time[row], ofTrace: key.trace)
      let level = rows.rssi[row]
      guard !level.isNaN else {
        excluded["no-rssi", default: 0] += 1
        continue
      }
      let pose: Int
      switch place {
      case nil: pose = stays[rows.stay[row]] ?? self.pose(rows, row, catalogue, key)
      case .pose(let piece): pose = self.pose(rows, row, catalogue, key, piece)
      case .turning:
        excluded["between-poses", default: 0] += 1
        continue
      }
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
    let open = links.values.compactMap(\.pose) + openPieces()
    let hasStays = !stays.isEmpty
    endPieces()
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
    for pose in open where !shortPieces.contains(pose) {
      poses[pose].distance = distance
      if let name { poses[pose].name = name }
    }
  }

  /// Names the poses that recordings were cut into, in their order.
  ///
  /// - Throws: where there are not as many.
  mutating func namePieces(_ names: [String]) throws(RSSIError) {
    guard pieces.count == names.count else {
      throw RSSIError(
        .usage,
        "the recordings have \(counted(pieces.count, "pose")) of `split`, and \(names.count) are named: name "
          + "each with `pose`, or none")
    }
    for (piece, name) in zip(pieces, names) {
      for pose in piece { poses[pose].name = name }
    }
  }

  /// The pieces of recordings without stays.
  private func openPieces() -> [Int] {
    piecePoses.filter { $0.key.stay == .max }.map(\.value).sorted()
  }

  /// Ends the pieces of a file, and leaves out those that are too short to be poses.
  private mutating func endPieces() {
    guard let cut else { return }
    var whole: [Int: [UInt16: [Int]]] = [:]
    for (key, pose) in piecePoses {
      if cut.isLongEnough(key.piece, ofTrace: key.link.trace) {
        whole[key.piece, default: [:]][key.link.trace, default: []].append(pose)
      } else {
        // Not removed: numbers of poses go on pointing into the list.
        excluded["short-pose", default: 0] += poses[pose].levels.samples
        poses[pose].distance = nil
        shortPieces.insert(pose)
      }
    }
    let traces = Set(whole.values.flatMap(\.keys)).sorted()
    for trace in traces {
      for piece in whole.keys.sorted() {
        if let poses = whole[piece]?[trace] { pieces.append(poses) }
      }
    }
    piecePoses.removeAll()
    self.cut?.endFile()
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

  /// The pose of a row in a piece of a recording.
  private mutating func pose(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, _ key: Link, _ piece: Int
  ) -> Int {
    let isStay = rows.stay[row] < catalogue.stays.count
    let place = PieceOfLink(link: key, stay: isStay ? rows.stay[row] : .max, piece: piece)
    if let known = piecePoses[place] { return known }
    let new = add(pose: rows, row, catalogue)
    poses[new].name += " \(piece + 1)"
    if isStay { stays[rows.stay[row]] = new }
    piecePoses[place] = new
    return new
  }

  /// The pose of a row that begins a stay, or that belongs to none.
  private mutating func pose(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, _ key: Link
  ) -> Int {
    if let known = links[key]?.pose, rows.stay[row] >= catalogue.stays.count { return known }
    let new = add(pose: rows, row, catalogue)
    if rows.stay[row] < catalogue.stays.count {
      stays[rows.stay[row]] = new
    } else {
      links[key]?.pose = new
    }
    return new
  }

  /// Adds the pose that a row begins.
  private mutating func add(
    pose rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Int {
    var pose = Pose(
      beacon: catalogue.beacons[Int(rows.beacon[row])].id,
      receiver: catalogue.receivers[Int(rows.receiver[row])].id,
      name: catalogue.traces[Int(rows.trace[row])])
    if rows.stay[row] < catalogue.stays.count {
      let stay = catalogue.stays[Int(rows.stay[row])]
      pose.distance = stay.distance
      if !stay.pose.isEmpty { pose.name = stay.pose }
    }
    poses.append(pose)
    return poses.count - 1
  }
}

extension PoseMeasurements {
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
