import Geometry
import PathLoss
import Positioning
import Reporting
import Sightings
import Sites
import Support

/// What the algorithms know in one fold.
struct FoldSurroundings {
  let dimensions: Surroundings.Dimensions
  let bounds: Bounds?
  let site: EvalSite?
  let reading: TargetReading

  /// A sentence about a site with walls that is too large for small cells; nil for others.
  var coarseness: String? {
    guard let area = bounds ?? site?.bounds, let site else { return nil }
    var known = Surroundings()
    known.dimensions = dimensions
    known.bounds = area
    known.rooms = site.rooms
    known.walls = site.walls
    guard let cell = known.coarseCell else { return nil }
    let (width, depth) = (area.maximum.x - area.minimum.x, area.maximum.y - area.minimum.y)
    return
      "the site is \(Int(width)) m by \(Int(depth)) m: grid-filter and grid-smoother take cells of "
      + "\(decimal(cell, 1)) m there, through which walls are not seen; check the site's "
      + "coordinates, or limit the search with --bounds"
  }

  /// What is known to locate one target, without what is learned from a survey.
  ///
  /// - Parameter receptions: of the anchors, from what the fold may learn from.
  func surroundings(
    of target: AskedTarget, _ fold: Fold, receptions: [Anchor.Reception?]
  ) throws -> Surroundings {
    var known = Surroundings()
    known.dimensions = dimensions
    known.bounds = bounds ?? site?.bounds
    known.rooms = site?.rooms ?? []
    known.walls = site?.walls ?? []
    known.spots = site?.site.spots.map(\.place) ?? []
    // The reference level is the target's height where only the plane is asked.
    let reference = dimensions == .space ? 0 : target.height
    known.anchors = try zip(reading.anchors(for: target.role), receptions).map { node, reception in
      let (beacon, receiver) =
        target.role == .receiver ? (node.id, target.node) : (target.node, node.id)
      let link = try fold.constants.constants(
        beacon: beacon, receiver: receiver, trace: target.trace)
      let above = reference.map { node.z - $0 } ?? 0
      return Anchor(
        place: Point(x: node.x, y: node.y), heightDifference: above.isFinite ? above : 0,
        measuredPower: link.measuredPower, exponent: link.exponent, sigma: link.sigma,
        reception: reception)
    }
    known.survey = survey(for: target, fold, reference: reference)
    return known
  }

  /// What the recordings of a fold that are not scored heard, at the places where it was.
  private func survey(
    for target: AskedTarget, _ fold: Fold, reference: Double?
  ) -> [SurveyPoint] {
    var points: [SurveyPoint] = []
    for (number, part) in fold.survey.enumerated() where part.target.role == target.role {
      for index in part.epochs {
        let epoch = part.target.epochs[index]
        guard !epoch.levels.isEmpty else { continue }
        points.append(
          SurveyPoint(
            place: epoch.truth,
            height: epoch.height.flatMap { height in reference.map { height - $0 } },
            levels: epoch.levels, trace: number))
      }
    }
    return points
  }

  /// How often each anchor is heard where it is received well, learned from what a fold may learn
  /// from.
  func receptions(_ fold: Fold, by role: NodeRole) -> [Anchor.Reception?] {
    var windows = [[ReceptionWindow]](repeating: [], count: reading.anchors(for: role).count)
    for (target, epochs) in fold.survey where target.role == role {
      for index in epochs {
        let epoch = target.epochs[index]
        // Readings begin where those of the epoch before end.
        let start = index > 0 ? target.epochs[index - 1].instant : epoch.start
        guard !epoch.readings.isEmpty, epoch.instant > start else { continue }
        let seconds = Double(epoch.instant - start) / 1e9
        for anchor in windows.indices {
          windows[anchor].append(ReceptionWindow(seconds: seconds, levels: []))
        }
        for reading in epoch.readings {
          windows[reading.anchor][windows[reading.anchor].count - 1].levels +=
            repeatElement(reading.rssi, count: reading.packets)
        }
      }
    }
    return Anchor.Reception.learned(from: windows)
  }

  /// What a floor plan shows.
  func reported(_ targets: [AskedTarget]) -> ReportedSite {
    let roles = targets.map(\.role).reduce(into: [NodeRole]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let nodes = roles.flatMap { reading.anchors(for: $0) }
    return ReportedSite(
      anchors: nodes.map {
        .init(
          name: $0.name.isEmpty ? $0.id : $0.name, place: Point(x: $0.x, y: $0.y),
          height: $0.z.isFinite ? $0.z : nil)
      },
      walls: site?.site.walls.map { .init(kind: $0.kind, points: $0.points) } ?? [],
      rooms: site?.rooms ?? [],
      spots: site?.site.spots.map { .init(name: $0.name, place: $0.place) } ?? [],
      bounds: bounds ?? site?.bounds)
  }

  /// The scans of a target's epochs.
  func scans(_ target: AskedTarget, _ epochs: [Int], _ known: Surroundings) -> [Scan] {
    epochs.map { index in
      let epoch = target.epochs[index]
      return Scan(
        instant: epoch.instant, asked: epoch.asked, start: epoch.start, levels: epoch.levels,
        readings: epoch.readings, anchors: known.anchors)
    }
  }
}

extension Scan {
  /// A scan of levels that name their anchors by number.
  init(
    instant: Int64, asked: Int64? = nil, start: Int64, levels: [Reading], readings: [Reading],
    anchors: [Anchor]
  ) {
    self.init(
      instant: instant, asked: asked, start: start,
      observations: levels.map {
        Observation(anchors[$0.anchor], number: $0.anchor, rssi: $0.rssi, packets: $0.packets)
      }, readings: readings)
  }
}
