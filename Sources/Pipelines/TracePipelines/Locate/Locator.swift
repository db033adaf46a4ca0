import Evaluation
public import Geometry
import PathLoss
import Positioning
import Registries
package import Sightings
import Sites
public import Support
import TraceStore

/// A request to locate with the files that it names, which are read once for all recordings.
public final class LocateBasis: Sendable {
  /// The request.
  public let request: LocateRequest
  package let plan: SitePlan
  let algorithm: ChosenAlgorithm
  /// The radio map that was learned before; nil without one.
  let map: RadioMapFile?
  /// The trained rooms; nil for those of the site.
  let rooms: RoomsFile?
  /// The nodes at unknown places by which others are located in a building, by role.
  let surveyed: [NodeRole: [Node]]
  /// The tables of the survey of a building.
  private let surveyTables: [Catalogue]
  /// The file with the path-loss constants; nil if each recording has its own.
  private let constantsFile: String?
  /// The request's calibration; nil if each recording has its own.
  private let calibration: Calibration?
  let log: any ActivityLog
  /// The log for mistakes of a program.
  private let programLog: DistinctLog

  /// The place of the site on Earth; nil if it is not known.
  public var reference: EarthReference? { plan.site?.reference }

  /// - Throws: `RSSIError` for a request that cannot be met.
  public init(_ request: LocateRequest, log: any ActivityLog = SilentLog()) throws {
    try request.check()
    self.log = log
    programLog = DistinctLog(log)
    map = try request.radioMap.map { try RadioMapFile(path: $0) }
    rooms = try request.rooms.map { try RoomsFile(path: $0) }
    var plan = try SitePlan(
      path: request.site, bounds: request.bounds, dimensions: request.dimensions)
    var surveyed = try request.survey.map { try TraceReader(path: $0).catalogue }
    if let map, map.stored.isOfBuilding { surveyed.append(map.catalogue) }
    if surveyed.isEmpty {
      var given = Catalogue()
      given.floors = try KnownAnchors(given, nodes: request.nodes, site: plan.site).floors
      try plan.learnFloors(of: [given], hasAnchors: true)
    } else {
      try plan.learnFloors(
        of: surveyed, hasAnchors: !KnownAnchors(Catalogue(), nodes: request.nodes).isEmpty)
    }
    var request = request
    request.isInBuilding = plan.building != nil && !surveyed.isEmpty
    (self.request, self.plan) = (request, plan)
    surveyTables = plan.building == nil ? [] : surveyed
    let moving = map?.role ?? surveyed.lazy.flatMap(\.truth).first?.role
    let role = moving == .beacon ? NodeRole.receiver : .beacon
    self.surveyed =
      plan.building == nil
      ? [:]
      : [
        role: surveyed.flatMap { role == .beacon ? $0.beacons : $0.receivers }
          .filter { !$0.isAnchor }
      ]
    algorithm = try ChosenAlgorithm(request.delayedAlgorithm, patience: request.patience)
    if request.spots || request.events && rooms == nil, plan.site?.spots.isEmpty == true {
      throw RSSIError(
        .badInput,
        "\(request.site ?? "the site") has no [[spots]]: add some, or leave `spots` and `events` "
          + "out")
    }
    constantsFile = request.calibration ?? map?.constantsFile
    calibration = try constantsFile.map { try Calibration(path: $0) }
    _ = try requestedConstants()
  }

  /// Creates the same basis with another plan or another log.
  private init(_ basis: LocateBasis, plan: SitePlan, log: any ActivityLog) {
    (request, algorithm, map, rooms) = (basis.request, basis.algorithm, basis.map, basis.rooms)
    (surveyed, surveyTables) = (basis.surveyed, basis.surveyTables)
    (constantsFile, calibration) = (basis.constantsFile, basis.calibration)
    (self.plan, self.log, programLog) = (plan, log, basis.programLog)
  }

  /// The same basis without messages.
  var quiet: LocateBasis { LocateBasis(self, plan: plan, log: SilentLog()) }

  /// Returns the basis with the floors of recordings whose anchors are on floors, unless those of a
  /// survey or of the site are known.
  ///
  /// - Parameter recordings: the tables of the recordings, read only if they are needed.
  func onFloors(of recordings: @autoclosure () throws -> [Catalogue]) throws -> LocateBasis {
    guard plan.building == nil, surveyTables.isEmpty else { return self }
    let recordings = try recordings()
    let areOnFloors = recordings.contains { recording in
      (recording.beacons + recording.receivers).contains { $0.isAnchor && $0.floor != nil }
    }
    guard areOnFloors else { return self }
    var plan = plan
    try plan.learnFloors(of: recordings, hasAnchors: true)
    return LocateBasis(self, plan: plan, log: log)
  }

  /// The constants of the request's calibration; nil if each recording has its own.
  private func requestedConstants() throws -> LinkConstants? {
    guard let calibration, let path = constantsFile else { return nil }
    return try LinkConstants(
      calibration, of: path,
      group: request.group ?? (request.calibration == nil ? map?.stored.group : nil))
  }

  /// A Boolean value that is true if nothing needs constants: a map of a building, or trained rooms.
  private var needsNoConstants: Bool { plan.building != nil || rooms != nil }

  /// Returns the constants of a recording's own calibration; nil if it has none and needs none.
  private func ownConstants(of reader: TraceReader) throws -> LinkConstants? {
    guard try reader.calibration() != nil else {
      if needsNoConstants { return nil }
      throw RSSIError(
        .usage,
        "\(reader.path) has no path-loss constants: give them with `calibration`, as `rssi fit "
          + "-o` writes them")
    }
    return try LinkConstants(
      Calibration(path: reader.path), of: reader.path, group: request.group)
  }

  /// Locates the nodes of a trace.
  func located(_ path: String) throws -> LocatedTrace {
    let reader = try TraceReader(path: path)
    return try LocatedTrace(
      reader, self, constants: requestedConstants() ?? ownConstants(of: reader))
  }

  /// Begins to locate nodes as their sightings arrive.
  ///
  /// - Parameters:
  ///   - name: the source of the sightings, for messages.
  ///   - known: the nodes of a replayed recording, whose places have precedence.
  ///   - sink: receives the positions.
  /// - Throws: `RSSIError` for a request that needs a trace.
  package func liveLocator(
    of name: String, knowing known: Catalogue = Catalogue(), into sink: any PositionSink
  ) throws -> LiveLocator {
    try request.checkStream()
    let constants = try requestedConstants()
    guard constants != nil || needsNoConstants else {
      throw RSSIError(
        .usage, "a stream has no path-loss constants: give them with `calibration`")
    }
    guard DelayedTrack.canFollow(algorithm(anchors: [])) else {
      throw RSSIError(
        .usage,
        "\(request.algorithmName) uses later sightings, which a stream does not have yet: "
          + "choose a causal one, such as particle-filter")
    }
    return LiveLocator(
      try Locator(onFloors(of: [known]), known, of: name, constants: constants), sink: sink)
  }

  /// Returns the floor plan, with the surveyed area of each floor that has no outline.
  func reported(anchors: [Node], _ names: BeaconNames) throws -> ReportedSite {
    var site = try plan.reported(anchors: anchors, names, showsFloor: true)
    guard !site.storeys.isEmpty else { return site }
    var places = [[Point]](repeating: [], count: site.storeys.count)
    for catalogue in surveyTables {
      let row = plan.rows(of: catalogue)
      for point in catalogue.truth {
        if let floor = row(catalogue.floor(of: point)) {
          places[Int(floor)].append(Point(x: point.x, y: point.y))
        }
      }
    }
    if let map {
      let row = plan.rows(of: map.catalogue)
      for place in map.stored.places {
        if let floor = row(place.floor) { places[Int(floor)].append(Point(x: place.x, y: place.y)) }
      }
    }
    for floor in places.indices where site.storeys[floor].content.rooms.isEmpty {
      site.storeys[floor].content.bounds = Bounds(around: places[floor])
    }
    return site
  }

  /// Returns the names of nodes that a user wrote: anchors, and nodes to locate.
  func writtenNames() throws -> [String] {
    try KnownAnchors(Catalogue(), nodes: request.nodes, site: plan.site).all.map(\.id)
      + request.node
  }

  /// Returns the algorithm for nodes whose anchors have these names, with the requested attraction
  /// to spots.
  func algorithm(anchors: [String]) -> any PositioningAlgorithm {
    let algorithm = algorithm.algorithm(anchors: anchors, log: programLog)
    guard request.spots else { return algorithm }
    return Attraction(
      of: algorithm, power: request.spotPower, deadZone: request.spotDeadZone,
      name: request.algorithmName)
  }
}

/// A locator for the nodes of one recording: its anchors, and the knowledge about each node.
final class Locator {
  let basis: LocateBasis
  let anchors: KnownAnchors
  /// The trained rooms; nil for those of the site.
  let rooms: TrainedRooms?
  /// A Boolean value that is true if positions are found, and not only rooms.
  let findsPositions: Bool
  private let knowledge: SiteKnowledge
  /// The surroundings whose radio map was learned last.
  private var mapped: Surroundings?

  /// - Parameters:
  ///   - catalogue: the tables of a recording, or empty ones for a stream.
  ///   - name: the recording, for messages.
  init(
    _ basis: LocateBasis, _ catalogue: Catalogue, of name: String, constants: LinkConstants?
  ) throws {
    self.basis = basis
    let request = basis.request
    func known(_ catalogue: Catalogue, _ unplaced: [NodeRole: [Node]]) throws -> KnownAnchors {
      try KnownAnchors(
        catalogue, nodes: request.nodes, site: basis.plan.site, unplaced: unplaced)
    }
    var catalogue = basis.plan.onFloors(catalogue)
    var positioning = try known(catalogue, basis.surveyed)
    // A radio map has its anchors, in case nothing else has.
    if positioning.isEmpty, let map = basis.map {
      catalogue = map.catalogue
      positioning = try known(catalogue, basis.surveyed)
    }
    anchors =
      try basis.rooms.map { rooms in
        try known(
          catalogue,
          basis.surveyed.merging([rooms.anchorRole: rooms.nodes], uniquingKeysWith: +))
      } ?? positioning
    rooms = basis.rooms.map { [anchors] in TrainedRooms($0, among: anchors, for: request) }
    findsPositions =
      basis.rooms == nil || constants != nil || basis.map != nil || !request.survey.isEmpty
    guard !anchors.isEmpty else {
      throw RSSIError(
        .badInput,
        "\(name) has no anchors: give the places of the fixed nodes as `site` site.toml or "
          + "`nodes` nodes.csv")
    }
    if let doubt = try basis.plan.requireMetres(anchors: anchors.all.filter(\.isAnchor)) {
      basis.log.warn(doubt)
    }
    var reading = TargetReading(
      .periodic(step: request.epoch, window: request.window ?? request.epoch), site: basis.plan,
      // Those of rooms alone come last, and get no number.
      anchors: positioning.numbered,
      stage: "locate", log: basis.log)
    reading.truthAt = .epoch
    reading.keepsChannels = constants?.channels != nil
    try requireDistinctInputs(request.survey)
    var channels = constants?.channels
    var survey: [SurveyTrack] = []
    for path in request.survey {
      let reader = try TraceReader(path: path)
      survey += try reading.read(reader, filter: chosenFilter(request.filtered, of: reader))
        .map { target in
          SurveyTrack(channels?.removed(from: target, among: reading.anchors) ?? target)
        }
    }
    let mapped = try basis.map?.survey(among: &reading.anchors, at: basis.plan)
    knowledge = SiteKnowledge(
      basis.plan, anchors: reading.anchors, constants: constants,
      survey: mapped
        ?? SurveyedSite(survey, among: reading.anchors, isInBuilding: basis.plan.building != nil))
  }

  /// Notes about the constants that are used, and about a site too large for small cells.
  var notes: [String] {
    let usesGrid = findsPositions && basis.request.algorithmName.contains("grid-")
    return knowledge.constants?.notes ?? []
      + (usesGrid ? [basis.plan.coarseness].compactMap(\.self) : [])
  }

  /// The correction that subtracts channel offsets from raw levels; nil = none.
  var channels: ChannelCorrection? { knowledge.constants?.channels }

  /// Returns the knowledge to locate a node.
  func surroundings(of node: MovingNode) throws -> Surroundings {
    guard findsPositions else { return Surroundings() }
    var known = try knowledge.surroundings(
      of: node.id, node.role, in: node.traceName, height: basis.request.height)
    if let mapped, mapped.hasSameMap(as: known) {
      (known.radioMap, known.buildingMap) = (mapped.radioMap, mapped.buildingMap)
    } else {
      let line = basis.log.progress("locate: radio map", total: 1)
      (known.radioMap, known.buildingMap) = known.learnedMaps
      line.finish()
      mapped = known
    }
    return known
  }

  /// Returns the algorithm for a node.
  func algorithm(for node: MovingNode) -> any PositioningAlgorithm {
    findsPositions
      ? basis.algorithm(anchors: knowledge.anchors.locating(node.role).map(\.id))
      : NoPositions(lag: basis.request.lag)
  }
}
