package import PathLoss
package import Sightings
import Support

/// The levels of every beacon in every pose, gathered from sightings.
///
/// A pose is a stay of one beacon and one receiver at a known distance. In a file without stays,
/// all sightings of a link are one pose, whose distance must be given.
package struct PoseMeasurements {
  package struct Pose {
    var beacon: String
    var receiver: String
    /// The orientation of the device; the name of the trace if it is not known.
    var name: String
    /// The distance in metres; nil until it is known.
    var distance: Double?
    var levels = PoseLevels()
    /// The times of the first and last packet, in nanoseconds since the Unix epoch.
    var start = Int64.max
    var end = Int64.min
  }

  /// The settings of a link, looked up once.
  private struct KnownLink {
    var beacon: Int
    var receiver: String
    /// The reason to leave its sightings out; nil if they are taken.
    var exclusion: String?
    /// Its pose outside of stays.
    var pose: Int?
  }

  private(set) var poses: [Pose] = []
  /// The power at 1 m that each beacon advertises, in dBm.
  private(set) var advertised: [String: Double] = [:]
  /// Receivers whose levels are not of single packets.
  private(set) var doubts: [String: Radio.RSSIKind] = [:]
  /// The numbers of sightings left out, by reason.
  package private(set) var excluded: [String: Int] = [:]

  /// The names of all series, taken or not.
  private(set) var seenSeries: Set<String> = []

  private let receiver: String?
  private let series: Set<String>
  private var addressed: AddressedBeacons
  private var beacons: [(name: String, sightings: Int)] = []
  private var numbers: [String: Int] = [:]

  /// The rule that cuts recordings into poses; nil = none.
  private var cut: PoseCut?
  /// The poses of each piece of a recording, in order, as places in `poses`.
  private var pieces: [[Int]] = []
  /// The pieces that are too short to be poses.
  private var shortPieces: Set<Int> = []

  // The meaning of numbers in the file that is being read.
  private var stays: [UInt32: Int] = [:]
  private var links: [Link: KnownLink] = [:]
  private var piecePoses: [PieceOfLink: Int] = [:]

  /// One link in one piece of a recording.
  private struct PieceOfLink: Hashable {
    var link: Link
    var stay: UInt32
    var piece: Int
  }

  /// - Parameters:
  ///   - choices: the requested beacons; others are gathered too.
  ///   - receiver: the only receiver to take; nil = all.
  ///   - series: the only series to take; empty = all.
  ///   - split: the length of the poses that recordings are cut into, nanoseconds; nil = no cut.
  package init(
    choices: [BeaconChoice], receiver: String? = nil, series: Set<String> = [], split: Int64? = nil
  ) {
    cut = split.map(PoseCut.init)
    addressed = AddressedBeacons(choices)
    self.receiver = receiver
    self.series = series
  }

  /// The number of sightings of every beacon, in a pose or not.
  package var heard: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: beacons.filter { $0.sightings > 0 }.map { ($0.name, $0.sightings) })
  }

  /// Returns whether a requested address sent a beacon's frames.
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
      advertised[beacon.id] = Double(beacon.measuredPower)
    }
  }

  /// Ends a file, whose numbers mean nothing in the next.
  ///
  /// - Parameters:
  ///   - distance: the distance of a file without stays, metres; nil = unknown.
  ///   - name: the pose of a file without stays; nil = the name of its trace.
  /// - Throws: `RSSIError` if the distance is missing, or given for a file that has its own.
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
      // Between two stays the beacon was carried.
      excluded["no-distance", default: 0] += open.reduce(0) { $0 + poses[$1].levels.samples }
      return
    }
    guard let distance else {
      throw RSSIError(
        .usage,
        "\(file) does not contain the distance at which it was recorded: give it as `distance`, such as 1m"
      )
    }
    for pose in open where !shortPieces.contains(pose) {
      poses[pose].distance = distance
      if let name { poses[pose].name = name }
    }
  }

  /// Names the poses that recordings were cut into, in order.
  ///
  /// - Throws: `RSSIError` if there are more or fewer poses than names.
  mutating func namePieces(_ names: [String]) throws(RSSIError) {
    guard pieces.count == names.count else {
      throw RSSIError(
        .usage,
        "the recordings have \(counted(pieces.count, "pose")) of `split`, and `pose` has \(counted(names.count, "name")): name "
          + "each pose, or none")
    }
    for (piece, name) in zip(pieces, names) {
      for pose in piece { poses[pose].name = name }
    }
  }

  /// The pieces of recordings without stays.
  private func openPieces() -> [Int] {
    piecePoses.filter { $0.key.stay == .max }.map(\.value).sorted()
  }

  /// Ends the pieces of a file, and leaves out short ones.
  private mutating func endPieces() {
    guard let cut else { return }
    var whole: [Int: [UInt16: [Int]]] = [:]
    for (key, pose) in piecePoses {
      if cut.isLongEnough(key.piece, ofTrace: key.link.trace) {
        whole[key.piece, default: [:]][key.link.trace, default: []].append(pose)
      } else {
        // Kept in the list, because numbers of poses are places in it.
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

  /// Discards a pose that was not completed; its sightings count as received.
  package mutating func discard(name: String, distance: Double) {
    // Kept in the list, because indices of open stays are places in it.
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

  /// Returns the pose of a row in a piece of a recording.
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

  /// Returns the pose of a row that begins a stay, or that belongs to none.
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
  /// Returns the packets with a level in one pose, by beacon.
  package func levels(name: String, distance: Double) -> [String: PoseLevels] {
    poses.filter { $0.name == name && $0.distance == distance }
      .reduce(into: [:]) { levels, pose in
        // Of several receivers, the screen shows the one that heard the beacon best.
        if pose.levels.samples >= levels[pose.beacon]?.samples ?? 0 {
          levels[pose.beacon] = pose.levels
        }
      }
  }
}
