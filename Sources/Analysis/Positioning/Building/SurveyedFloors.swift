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

  private struct Visit: Hashable, Comparable {
    var floor: Int
    var anchor: Int
    var cell: Int
    var recording: Int

    static func < (a: Visit, b: Visit) -> Bool {
      (a.floor, a.anchor, a.cell, a.recording) < (b.floor, b.anchor, b.cell, b.recording)
    }
  }

  /// - Parameter anchors: The number of anchors; levels of others are ignored.
  init(_ survey: [SurveyPoint], anchors: Int, on cells: FloorCells) {
    var visits: [Visit: SurveyedLevel] = [:]
    heard = cells.lattices.map { _ in [] }
    seconds = [Float](repeating: 0, count: cells.count)
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
          floor: point.floor, anchor: reading.anchor, cell: cell, recording: point.trace)
        visits[visit, default: .none(in: point.trace)].add(reading, at: stretch.centre)
      }
    }
    for (visit, level) in visits.sorted(by: { $0.key < $1.key }) {
      let floor = visit.floor
      if heard[floor].last?.anchor != visit.anchor {
        heard[floor].append((visit.anchor, Heard(packets: [], levels: [])))
      }
      heard[floor][heard[floor].count - 1].heard.add(level, in: visit.cell)
    }
  }
}

extension SurveyedFloors.Heard {
  fileprivate mutating func add(_ level: SurveyedLevel, in cell: Int) {
    levels.append(level)
    if packets.last?.cell == cell {
      packets[packets.count - 1].count += level.packets
    } else {
      packets.append((cell, level.packets))
    }
  }
}

extension SurveyedLevel {
  /// A level without packets.
  fileprivate static func none(in recording: Int) -> SurveyedLevel {
    SurveyedLevel(
      stretch: Stretch(centre: Point(x: 0, y: 0)), residual: 0, packets: 0, recording: recording)
  }

  /// Adds a reading to the means of the level and of the place.
  fileprivate mutating func add(_ reading: Reading, at place: Point) {
    packets += Double(reading.packets)
    let share = Double(reading.packets) / packets
    residual += share * (reading.rssi - residual)
    stretch.centre.x += share * (place.x - stretch.centre.x)
    stretch.centre.y += share * (place.y - stretch.centre.y)
  }
}
