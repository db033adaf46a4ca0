import Geometry
package import PathLoss
import Positioning
package import Sightings
package import Support
package import TraceStore

/// A radio map that was learned before, read from its file: for evaluating, locating and pictures.
///
/// The file is a trace without sightings: its anchors are the nodes of the tables, and it contains
/// the calibration, so that it can be given as one.
package final class RadioMapFile: Sendable {
  package let path: String
  /// The anchors, with their names and places.
  package let catalogue: Catalogue
  package let stored: StoredRadioMap
  /// The file, if it contains path-loss constants, unlike that of a building whose anchors have no
  /// known places.
  let constantsFile: String?

  /// - Throws: `.badInput` for a file without a radio map, of a later format, or damaged.
  package init(path: String) throws {
    let reader = try TraceReader(path: path)
    guard let stored = try reader.radioMap() else {
      throw RSSIError(
        .badInput, "this trace has no radio map", in: path,
        advice: "learn one with `rssi map`")
    }
    try reader.requireUsablePlaces()
    (self.path, self.stored, catalogue) = (path, stored, reader.catalogue)
    constantsFile = try reader.calibration() == nil ? nil : path
    if let problem = stored.problem(in: reader.catalogue) {
      throw RSSIError(
        .badInput, "the radio map is damaged: \(problem)", in: path, advice: "learn it again")
    }
  }

  /// The role of the nodes that are located.
  package var role: NodeRole { stored.role }

  /// The anchors, by their numbers in the file.
  package var anchors: [Node] {
    stored.anchors.map { anchor in
      (role == .receiver ? catalogue.beacons : catalogue.receivers)[Int(anchor.node)]
    }
  }

  /// The readings of each recording that was learned from, to recognise it.
  package var readings: [ReadingSample] {
    stored.sources.compactMap { source in
      ReadingSample(
        capacity: source.times.count, halvings: Int(source.halvings), times: source.times,
        levels: source.levels, links: source.links)
    }
  }

  /// Returns the survey from the map among the anchors of a run, which the map's anchors join.
  ///
  /// - Parameter plan: the site of the run, with the floors of the map.
  /// - Throws: `.badInput` if an anchor is at another place in the run, or if one of both is of a
  ///   building and the other of a plane.
  package func survey(
    among anchors: inout SiteAnchors, at plan: SitePlan
  ) throws(RSSIError) -> SurveyedSite {
    guard stored.isOfBuilding == (plan.building != nil) else {
      throw RSSIError(
        .badInput,
        stored.isOfBuilding
          ? "this radio map is of a building, and the recordings are of one plane with anchors"
          : "this radio map is of one plane, and the recordings are of a building", in: path,
        advice: "learn a map from walks there")
    }
    try requireSamePlaces(as: anchors.locating(role))
    let own = anchors.numbers(of: plan.onFloors(catalogue), takesAll: stored.isOfBuilding)
    let numbers = role == .receiver ? own.beacons : own.receivers
    var learned: [Int: Anchor] = [:]
    var receptions = [Anchor.Reception?](repeating: nil, count: anchors.locating(role).count)
    let anchorNumbers = stored.anchors.map { numbers[Int($0.node)] ?? 0 }
    for (anchor, number) in zip(stored.anchors, anchorNumbers) {
      let node = anchors.locating(role)[number]
      guard !anchor.measuredPower.isNaN else {
        learned[number] = .unknown
        continue
      }
      let reception =
        anchor.rate.isFinite && anchor.sensitivity.isFinite
        ? Anchor.Reception(rate: anchor.rate, sensitivity: anchor.sensitivity) : nil
      receptions[number] = reception
      learned[number] = Anchor(
        place: Point(x: node.x, y: node.y), heightDifference: anchor.heightDifference,
        measuredPower: anchor.measuredPower, exponent: anchor.exponent, sigma: anchor.sigma,
        packetSigma: anchor.packetSigma.isNaN ? nil : anchor.packetSigma, reception: reception)
      learned[number]?.floor = node.floor.map(Int.init)
    }
    return SurveyedSite(
      LearnedMap(
        name: path, role: role, variation: LevelVariation(stored.variation),
        exponents: stored.isOfBuilding ? FloorExponents(stored.exponents) : nil,
        dimensions: stored.isSpace ? .space : .plane,
        height: stored.isSpace ? 0 : stored.height.isNaN ? nil : stored.height, anchors: learned),
      places: places(anchorNumbers, at: plan), receptions: receptions)
  }

  /// Returns the surroundings for the map alone, and its anchors by number.
  ///
  /// - Parameter plan: the site, with the floors of the map.
  /// - Throws: as ``survey(among:at:)``.
  func surroundings(at plan: SitePlan) throws(RSSIError) -> (known: Surroundings, anchors: [Node]) {
    var own = SiteAnchors()
    let survey = try survey(among: &own, at: plan)
    var known = plan.surroundings
    known.survey = survey.points(role, reference: survey.learned?.height)
    let anchors = own.locating(role)
    known.anchors = anchors.indices.map { survey.learned?.anchors[$0] ?? .unknown }
    (known.variation, known.exponents) = (survey.learned?.variation, survey.learned?.exponents)
    return (known, anchors)
  }

  /// - Parameter numbers: the numbers of the file's anchors in the run.
  private func places(_ numbers: [Int], at plan: SitePlan) -> [SurveyPoint] {
    let row = plan.rows(of: catalogue)
    var places = stored.places.map { one in
      var point = SurveyPoint(
        place: Point(x: one.x, y: one.y), height: one.height.isNaN ? nil : one.height, levels: [],
        trace: Int(one.recording), stretch: one.stretch)
      point.floor = row(one.floor).map(Int.init) ?? 0
      point.seconds = one.seconds.isFinite ? one.seconds : 0
      return point
    }
    for level in stored.levels {
      places[Int(level.place)].levels.append(
        Reading(
          time: 0, anchor: numbers[Int(level.anchor)], rssi: level.rssi,
          packets: Int(level.packets)))
    }
    return places
  }

  private func requireSamePlaces(as known: [Node]) throws(RSSIError) {
    let own = Dictionary(anchors.map { ($0.id, $0) }) { first, _ in first }
    var common = 0
    for node in known {
      guard let mapped = own[node.id] else { continue }
      common += 1
      let isSame = zip([node.x, node.y, node.z], [mapped.x, mapped.y, mapped.z]).allSatisfy {
        $0 == $1 || $0.isNaN && $1.isNaN
      }
      guard !isSame else { continue }
      throw RSSIError(
        .badInput,
        "this radio map does not fit: \(node.id) was at \(Self.place(mapped)) when it was learned, "
          + "and is at \(Self.place(node)) here", in: path,
        advice: "check `site` and the places of the traces, or learn another one")
    }
    guard common == 0, !known.isEmpty else { return }
    throw RSSIError(
      .badInput,
      "this radio map is of another site: it shares no anchor with this one; it has "
        + listed(anchors.map(\.id), 4) + "; this site has " + listed(known.map(\.id), 4), in: path,
      advice: "give the map of this site")
  }

  private static func place(_ node: Node) -> String {
    "(" + [node.x, node.y, node.z].filter(\.isFinite).map { plain($0) }.joined(separator: ", ")
      + ")"
  }
}

extension StoredRadioMap.Place {
  /// The stretch over which the levels were averaged; nil at rest.
  var stretch: Stretch? {
    guard !middleX.isNaN else { return nil }
    return Stretch(
      centre: Point(x: middleX, y: middleY), reach: Point(x: reachX, y: reachY))
  }
}

extension FloorExponents {
  fileprivate init(_ stored: StoredRadioMap.Exponents) {
    self.init()
    (reception, levels) = (stored.reception, stored.levels)
    (window, filter, smoother) = (stored.window, stored.filter, stored.smoother)
  }
}

extension LevelVariation {
  fileprivate init(_ stored: StoredRadioMap.Variation) {
    self.init(
      kernel: Kernel(rawValue: stored.kernel) ?? .matern, spread: stored.spread,
      length: stored.length, anchorOffset: stored.anchorOffset,
      recordingOffset: stored.recordingOffset, placeNoise: stored.placeNoise,
      packetNoise: stored.packetNoise)
    guard !stored.nearNoise.isNaN else { return }
    near = NearVariation(deviation: stored.nearNoise, length: stored.nearLength)
  }
}
