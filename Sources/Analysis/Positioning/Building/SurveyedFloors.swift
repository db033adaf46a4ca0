import Geometry

/// The times spent in the cells of a building during a survey, with the levels heard there.
struct SurveyedFloors {
  /// The packets of one anchor on one floor.
  struct Heard {
    /// The numbers of packets in the cells in which some were received.
    var packets: [(cell: Int, count: Double)]
    /// The mean levels in dBm of each recording in each cell, in ``SurveyedLevel/residual``.
    var levels: [SurveyedLevel]
  }

  /// The anchors that were heard on a floor, in order, by floor.
  private(set) var heard: [[(anchor: Int, heard: Heard)]]
  /// The time spent in each cell, in seconds.
  private(set) var seconds: [Float]

  /// The mean level of an anchor in a cell during a recording.
  fileprivate struct Visit {
    var cell: Int
    var level: SurveyedLevel

    /// Returns whether both are of one cell and one recording.
    func isSame(as other: Visit) -> Bool {
      cell == other.cell && level.recording == other.level.recording
    }
  }

  /// - Parameter anchors: The number of anchors; levels of others are ignored.
  init(_ survey: [SurveyPoint], anchors: Int, on cells: FloorCells) {
    var visits = cells.lattices.map { _ in [[Visit]](repeating: [], count: anchors) }
    var seconds = [Float](repeating: 0, count: cells.count)
    for point in survey where cells.lattices.indices.contains(point.floor) {
      let stretch = point.stretch ?? Stretch(centre: point.place)
      guard stretch.isOnEarth else { continue }
      stretch.forEachNode { place, share in
        guard let cell = cells.cell(at: place, on: point.floor) else { return }
        seconds[cell] += Float(share * point.seconds)
      }
      for reading in point.levels {
        guard (0..<anchors).contains(reading.anchor), reading.packets > 0, reading.rssi.isFinite,
          let cell = cells.cell(at: stretch.centre, on: point.floor)
        else { continue }
        let visit = Visit(
          cell: cell, level: SurveyedLevel(reading, at: stretch.centre, in: point.trace))
        visits[point.floor][reading.anchor].add(visit)
      }
    }
    self.seconds = seconds
    heard = cells.lattices.map { _ in [] }
    for floor in visits.indices {
      for anchor in visits[floor].indices where !visits[floor][anchor].isEmpty {
        heard[floor].append((anchor, Heard(visits[floor][anchor])))
        // A large survey is not kept twice.
        visits[floor][anchor] = []
      }
    }
  }
}

extension SurveyedFloors.Heard {
  fileprivate init(_ visits: [SurveyedFloors.Visit]) {
    (packets, levels) = ([], [])
    var sums: [SurveyedFloors.Visit] = []
    let ordered = visits.sorted { a, b in
      (a.cell, a.level.recording ?? 0) < (b.cell, b.level.recording ?? 0)
    }
    for visit in ordered { sums.add(visit) }
    for sum in sums { add(sum.level, in: sum.cell) }
  }

  private mutating func add(_ level: SurveyedLevel, in cell: Int) {
    levels.append(level)
    if packets.last?.cell == cell {
      packets[packets.count - 1].count += level.packets
    } else {
      packets.append((cell, level.packets))
    }
  }
}

extension [SurveyedFloors.Visit] {
  /// Adds a visit, to the means of the last one if that is of the same cell and recording.
  fileprivate mutating func add(_ visit: Element) {
    guard let last = indices.last, self[last].isSame(as: visit) else { return append(visit) }
    self[last].level.add(visit.level)
  }
}

extension SurveyedLevel {
  fileprivate init(_ reading: Reading, at place: Point, in recording: Int) {
    self.init(
      stretch: Stretch(centre: place), residual: reading.rssi, packets: Double(reading.packets),
      recording: recording)
  }

  /// Adds a level to the means of the level and of the place.
  fileprivate mutating func add(_ other: SurveyedLevel) {
    packets += other.packets
    let share = other.packets / packets
    residual += share * (other.residual - residual)
    stretch.centre.x += share * (other.stretch.centre.x - stretch.centre.x)
    stretch.centre.y += share * (other.stretch.centre.y - stretch.centre.y)
  }
}
