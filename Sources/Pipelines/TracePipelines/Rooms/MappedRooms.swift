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
    var own = SiteAnchors()
    let survey = try file.survey(among: &own, at: plan)
    let anchors = own.locating(file.role)
    var known = plan.surroundings
    known.survey = survey.points(file.role, reference: survey.learned?.height)
    known.anchors = anchors.indices.map { survey.learned?.anchors[$0] ?? .unknown }
    known.variation = survey.learned?.variation
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
    var names = Set(rooms.map(\.name)).sorted()
    let places = raster.grid.places.enumerated().compactMap { cell, place -> PredictedPlace? in
      guard let name = outlines.room(at: place, floor: nil)?.name,
        let room = names.firstIndex(of: name)
      else { return nil }
      return PredictedPlace(raster, known.anchors, at: cell, in: room)
    }
    let trained = Set(places.map { names[$0.room] })
    unknown = names.filter { !trained.contains($0) }
    guard trained.count >= 2 else {
      throw RSSIError(
        .badInput, "the radio map knows the levels in \(trained.count) rooms of the site", in: path,
        advice: "survey more rooms")
    }
    let all = names
    names.removeAll { !trained.contains($0) }
    var training = RoomTraining(names: names, anchors: anchors.map(\.id), stretches: [])
    training.doors = plan.site?.doors.map(\.rooms) ?? []
    training.floors = names.map { name in rooms.first { $0.name == name }?.floor }
    model = training.predictedModel(
      of: places.map { place in
        var place = place
        place.room = names.firstIndex(of: all[place.room]) ?? 0
        return place
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
  /// Creates the place of a cell; nil if no anchor is known there.
  fileprivate init?(
    _ raster: RadioMapRaster, _ anchors: [Anchor], at cell: Int, in room: Int
  ) {
    let layers = raster.layers.map { layer in layer.flatMap { $0.isKnown(cell) ? $0 : nil } }
    guard layers.contains(where: { $0 != nil }) else { return nil }
    self.init(
      room: room, levels: layers.map { $0?.level[cell] ?? .nan },
      deviations: layers.map { $0?.deviation[cell] ?? .nan },
      heard: anchors.enumerated().map { raster.reception($0, $1, at: cell) ?? 0 })
  }
}
