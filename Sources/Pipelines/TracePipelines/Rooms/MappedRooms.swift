import Geometry
import PathLoss
import Positioning
import Rooms
import Sightings
import Sites
import Support
import TraceStore

/// The rooms of a site whose levels a radio map predicts.
struct MappedRooms {
  let file: RadioMapFile
  let model: RoomModel
  /// The rooms without a place at which the map knows an anchor.
  let unknown: [String]

  /// - Parameters:
  ///   - path: A radio map of one plane.
  ///   - sitePath: The site file with rooms, and doors if they are known.
  ///   - window: The length of the windows.
  /// - Throws: `RSSIError` for a map of a building, a site without rooms, and fewer than two rooms
  ///   that the map knows.
  init(path: String, site sitePath: String, window: Duration) throws {
    file = try RadioMapFile(path: path)
    guard !file.stored.isOfBuilding else {
      throw RSSIError(
        .badInput, "rooms are trained from a radio map of one plane, and this one is of a building",
        in: path, advice: "record the rooms instead, or give traces with truth")
    }
    let plan = try SitePlan(
      path: sitePath, bounds: nil, dimensions: file.stored.isSpace ? .space : .plane)
    let (known, anchors) = try file.surroundings(at: plan)
    let rooms = (plan.site?.rooms ?? []).filter(\.isWalkable)
    let outlines = RoomOutlines(plan.site)
    guard let map = known.learnedMaps.plane,
      let area = Bounds(around: rooms.flatMap(\.polygon))
    else {
      throw RSSIError(
        .badInput, "the site has no [[rooms]], so the radio map has none", in: sitePath,
        advice: "add the rooms with their outlines")
    }
    let raster = RadioMapRaster(map, known.anchors, over: area)
    let cells = raster.grid.places.enumerated().compactMap { cell, place in
      raster.layers.contains { $0?.isKnown(cell) == true }
        ? outlines.room(at: place, floor: nil).map { (cell: cell, room: $0.name) } : nil
    }
    let names = Set(cells.map(\.room)).sorted()
    unknown = Set(rooms.map(\.name)).subtracting(names).sorted()
    guard names.count >= 2 else {
      throw RSSIError(
        .badInput, "the radio map knows the levels in \(names.count) rooms of the site", in: path,
        advice: "survey more rooms")
    }
    var training = RoomTraining(names: names, anchors: anchors.map(\.id), stretches: [])
    training.doors = plan.site?.doors.map(\.rooms) ?? []
    training.floors = names.map { name in rooms.first { $0.name == name }?.floor }
    model = training.predictedModel(
      of: cells.map { cell, room in
        PredictedPlace(raster, known.anchors, at: cell, in: names.firstIndex(of: room) ?? 0)
      }, window: Double(window.nanoseconds) / 1e9)
  }

  /// The recordings of the survey, which must not be scored.
  var sources: [RoomsFile.Source] {
    zip(file.stored.sources, file.readings).map { source, readings in
      var sample = ReadingSample(capacity: ReadingSample.capacityOfCalibration)
      sample.merge(readings)
      sample.sort()
      return RoomsFile.Source(trace: source.trace, node: source.node, sample: sample)
    }
  }
}

extension PredictedPlace {
  /// Creates the place of a cell.
  fileprivate init(_ raster: RadioMapRaster, _ anchors: [Anchor], at cell: Int, in room: Int) {
    let layers = raster.layers.map { layer in layer.flatMap { $0.isKnown(cell) ? $0 : nil } }
    self.init(
      room: room, levels: layers.map { $0?.level[cell] ?? .nan },
      deviations: layers.map { $0?.deviation[cell] ?? .nan },
      heard: anchors.enumerated().map { raster.reception($0, $1, at: cell) ?? 0 })
  }
}
