import RealModule

extension RoomTraining {
  /// The number of epochs for which a room gets one more signature.
  private static let epochsPerSignature = 12
  private static let mostSignatures = 12
  /// The number of epochs for which the common variance of levels counts in a signature.
  private static let commonEpochs = 4.0
  /// The stay in seconds that is added to those of each room, because few are seen.
  private static let assumedDwell = 60.0
  /// The probability that an anchor is heard from outside.
  private static let heardOutside = 0.02
  /// The standard deviation of levels outside, in dB.
  static let deviationOutside = 10.0

  /// Learns a model from some stretches, whose dynamics are not chosen yet.
  func model(of stretches: [RoomStretch]) -> RoomModel {
    let learned = names.indices.map { room in
      stretches.flatMap { stretch in
        zip(stretch.epochs, stretch.rooms).filter { $0.1 == room }.map { row(of: $0.0) }
      }
    }
    let silent = silentLevels(in: learned)
    let groups = learned.map { Self.clusters(of: $0, at: silent) }
    let common = Self.commonVariance(of: groups)
    var signatures = groups.enumerated().flatMap { room, groups in
      let all = LevelSums(of: groups.flatMap(\.self))
      return groups.map { group in
        signature(of: group, in: room, all, commonVariance: common)
      }
    }
    var rooms = self.rooms(of: stretches)
    signatures += outside(at: silent, in: rooms.count - 1)
    let window = stretches.first?.epochs.first.map { Double($0.window) / 1e9 } ?? 1
    for room in rooms.indices where rooms[room].neighbours.count == rooms.count - 1 {
      rooms[room].neighbours = []
    }
    return RoomModel(
      anchors: anchors, rooms: rooms, signatures: signatures, window: window,
      correlationTime: 0)
  }

  /// Returns the signature of everywhere else; nothing if it was recorded.
  func outside(at silent: [Double], in room: Int) -> [RoomModel.Signature] {
    names.contains(RoomModel.outside)
      ? []
      : [
        RoomModel.Signature(
          room: room, share: 1, levels: silent,
          deviations: anchors.map { _ in Self.deviationOutside },
          heard: anchors.map { _ in Self.heardOutside })
      ]
  }

  /// Returns the levels of an epoch, one per anchor; NaN for silence.
  private func row(of epoch: RoomEpoch) -> [Double] {
    var row = [Double](repeating: .nan, count: anchors.count)
    for level in epoch.levels { row[level.anchor] = level.rssi }
    return row
  }

  /// Returns the level that stands for silence: 3 dB below the weakest of each anchor.
  func silentLevels(in rows: [[[Double]]]) -> [Double] {
    let weakest = rows.joined().joined().filter(\.isFinite).min() ?? -100
    return anchors.indices.map { anchor in
      (rows.joined().map { $0[anchor] }.filter(\.isFinite).min() ?? weakest) - 3
    }
  }

  private func signature(
    of group: [[Double]], in room: Int, _ all: LevelSums, commonVariance: Double
  ) -> RoomModel.Signature {
    let own = LevelSums(of: group)
    var (levels, deviations, heard): ([Double], [Double], [Double]) = ([], [], [])
    for anchor in anchors.indices {
      let count = own.counts[anchor]
      // One epoch's worth of the room's mean, for anchors that are heard rarely.
      let mean = all.means[anchor].isFinite ? all.means[anchor] : all.weakest
      let level = (own.sums[anchor] + mean) / (count + 1)
      let squares = group.reduce(0.0) { sum, row in
        row[anchor].isFinite ? sum + (row[anchor] - level) * (row[anchor] - level) : sum
      }
      let variance =
        (squares + Self.commonEpochs * commonVariance) / (count + Self.commonEpochs)
      levels.append(level)
      // The variance of the mean is part of that of a prediction.
      deviations.append((variance + commonVariance / (count + 1)).squareRoot())
      heard.append((count + 0.5) / Double(group.count + 1))
    }
    return RoomModel.Signature(
      room: room, share: Double(group.count) / Double(all.rows), levels: levels,
      deviations: deviations, heard: heard)
  }

  /// Returns the variance of levels in dB² within the groups of all rooms.
  private static func commonVariance(of groups: [[[[Double]]]]) -> Double {
    var (squares, freedom) = (0.0, 0.0)
    for group in groups.joined() {
      let sums = LevelSums(of: group)
      for row in group {
        for anchor in row.indices where row[anchor].isFinite {
          squares += (row[anchor] - sums.means[anchor]) * (row[anchor] - sums.means[anchor])
        }
      }
      freedom += sums.counts.reduce(0) { $0 + max(0, $1 - 1) }
    }
    // Levels are whole dBm at best.
    return max(1, freedom > 0 ? squares / freedom : 36)
  }

  private static func clusters(of rows: [[Double]], at silent: [Double]) -> [[[Double]]] {
    groups(of: rows, at: silent).map { $0.map { rows[$0] } }
  }

  /// Returns the numbers of the rows of a room in groups, by k-means that begins at the farthest
  /// points (Gonzalez 1985), which is the same on every machine.
  static func groups(of rows: [[Double]], at silent: [Double]) -> [[Int]] {
    let points = rows.map { zip($0, silent).map { $0.isFinite ? $0 : $1 } }
    guard let width = points.first?.count else { return [] }
    func mean(_ points: [[Double]]) -> [Double] {
      (0..<width).map { place in
        points.reduce(0) { $0 + $1[place] } / Double(points.count)
      }
    }
    func distance(_ a: [Double], _ b: [Double]) -> Double {
      var sum = 0.0
      for place in 0..<width { sum += (a[place] - b[place]) * (a[place] - b[place]) }
      return sum
    }
    let count = max(1, min(mostSignatures, rows.count / epochsPerSignature))
    var centres = [mean(points)]
    var nearest = points.map { distance($0, centres[0]) }
    if let first = nearest.indices.min(by: { nearest[$0] < nearest[$1] }) {
      centres = [points[first]]
      nearest = points.map { distance($0, centres[0]) }
    }
    while centres.count < count,
      let farthest = nearest.indices.max(by: { nearest[$0] < nearest[$1] }), nearest[farthest] > 0
    {
      let centre = points[farthest]
      centres.append(centre)
      for point in points.indices {
        nearest[point] = min(nearest[point], distance(points[point], centre))
      }
    }
    var groups: [[Int]] = []
    for _ in 0..<20 {
      var next = [[Int]](repeating: [], count: centres.count)
      for point in points.indices {
        let distances = centres.map { distance(points[point], $0) }
        next[distances.indices.min { distances[$0] < distances[$1] } ?? 0].append(point)
      }
      if next == groups { break }
      groups = next
      for (centre, group) in groups.enumerated() where !group.isEmpty {
        centres[centre] = mean(group.map { points[$0] })
      }
    }
    return groups.filter { !$0.isEmpty }
  }

  /// Returns the rooms with their times and neighbours, ``RoomModel/outside`` last if no stretch has
  /// it.
  private func rooms(of stretches: [RoomStretch]) -> [RoomModel.Room] {
    let all = names.contains(RoomModel.outside) ? names : names + [RoomModel.outside]
    var trained = [Double](repeating: 0, count: all.count)
    var exits = trained
    var isAdjacent: Set<[Int]> = []
    for stretch in stretches {
      for next in stretch.rooms.indices.dropFirst() {
        let (from, to) = (stretch.rooms[next - 1], stretch.rooms[next])
        trained[from] += Double(stretch.epochs[next].time - stretch.epochs[next - 1].time) / 1e9
        guard from != to else { continue }
        exits[from] += 1
        // Short stays between two epochs may hide a room on the way.
        isAdjacent.formUnion([[from, to], [to, from]])
      }
    }
    let joined = doors.map { $0.compactMap(all.firstIndex) }.filter { $0.count == 2 }
    for door in joined { isAdjacent.formUnion([door, door.reversed()]) }
    let outside = all.firstIndex(of: RoomModel.outside)
    let hasWayOut = isAdjacent.contains { $0[0] == outside }
    return all.indices.map { room in
      let neighbours = all.indices.filter { next in
        next != room
          && (joined.isEmpty || isAdjacent.contains([room, next])
            || !hasWayOut && (room == outside || next == outside))
      }
      return RoomModel.Room(
        name: all[room], floor: floors.indices.contains(room) ? floors[room] : nil,
        dwell: (trained[room] + Self.assumedDwell) / (exits[room] + 1), trained: trained[room],
        neighbours: neighbours)
    }
  }
}

/// The sums of levels of some epochs, one per anchor.
private struct LevelSums {
  let rows: Int
  private(set) var counts: [Double]
  private(set) var sums: [Double]

  init(of group: [[Double]]) {
    rows = group.count
    counts = [Double](repeating: 0, count: group.first?.count ?? 0)
    sums = counts
    for row in group {
      for anchor in row.indices where row[anchor].isFinite {
        counts[anchor] += 1
        sums[anchor] += row[anchor]
      }
    }
  }

  /// The mean levels; NaN for anchors that were not heard.
  var means: [Double] { zip(sums, counts).map { $0 / $1 } }

  /// The least of the means.
  var weakest: Double { means.filter(\.isFinite).min() ?? -100 }
}
