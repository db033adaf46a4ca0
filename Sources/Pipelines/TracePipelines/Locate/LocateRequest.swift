package import Evaluation
public import Geometry
public import Positioning
public import Registries
import Rooms
package import Sightings
import Sites
public import Support

/// The nodes to locate, the instants, and the prior knowledge.
public struct LocateRequest: Sendable {
  /// The instants at which positions are asked.
  public enum Instants: String, CaseIterable, Sendable {
    /// Whole multiples of the time between positions.
    case clock
    /// The instants of an evaluation, from the first truth of each node on.
    case truth
  }

  /// An algorithm with its parameters, or `exec:` and a program; nil = `particle-filter`, with the
  /// map if the site was surveyed, as docs/algorithms.md explains.
  public var algorithm: String?
  /// The time for which a position waits for later sightings; zero = as the algorithm has it.
  public var lag: Duration = .zero
  /// The longest time that a program may take for one answer.
  public var patience: Duration = .seconds(10)
  /// A calibration file, or a trace that contains one; nil = that of each input.
  public var calibration: String?
  /// The group of the calibration that all links use; nil = each link's own.
  public var group: String?

  /// Names of the traces to locate in; empty = all.
  public var trace: [String] = []
  /// Names of the moving nodes to locate; empty = all without a known position.
  public var node: [String] = []
  /// The time between positions.
  public var epoch: Duration = .seconds(1)
  /// The length of the window from which a position takes its levels; nil = the time between
  /// positions.
  public var window: Duration?
  /// The instants at which positions are asked.
  public var epochsOf = Instants.clock
  /// The longest delay of a sighting out of order.
  public var reorder: Duration = .milliseconds(100)
  /// The time without a sighting after which a node is not located any more.
  public var silence: Duration = .seconds(30)
  /// The filter whose levels are used, `none` for the raw levels; nil = the trace's only filter.
  public var filtered: String?

  /// A site file.
  public var site: String?
  /// A table of nodes (CSV) with places that are missing from the traces.
  public var nodes: String?
  /// The search area; nil = the rectangle around the site's rooms and walls, or around the anchors.
  public var bounds: Bounds?
  /// The dimensions in which positions are asked.
  public var dimensions = Surroundings.Dimensions.plane
  /// The height of the nodes in metres, in the plane; nil = the median of the
  /// survey or, without one, of the anchors.
  public var height: Double?
  /// Traces with truth that algorithms learn the site from.
  public var survey: [String] = []
  /// A radio map that was learned before, instead of a survey; nil = none. If `calibration` is nil,
  /// its constants are used.
  public var radioMap: String?

  /// A file of trained rooms; nil for the rooms of the site that hold the positions. Without
  /// `calibration`, `survey` and `radioMap`, only rooms are found.
  public var rooms: String?
  /// The probability at which a trained room is announced.
  public var announce = RoomAnnouncement.defaultThreshold

  /// A Boolean value that is true if positions are attracted to the site's spots.
  public var spots = false
  /// The strength of the attraction, m³.
  public var spotPower = 0.1
  /// The distance from a spot within which positions are not attracted, in metres.
  public var spotDeadZone = 0.2
  /// A Boolean value that is true if arrivals at spots and rooms and departures are reported.
  public var events = false
  /// The rule for arrivals at spots and departures.
  public var spotRule = SpotWatch.Rule()

  /// Names of beacons, which also apply to identities that their addresses send.
  public var registry = Registry()

  /// The permitted times between positions, and lengths of windows.
  public static let epochs = DurationRange(
    .milliseconds(10)...Duration.day, such: "500ms or 1s")
  /// The permitted delays of answers, in which later sightings may arrive.
  public static let lags = DurationRange(
    .zero...Duration.nanoseconds(Algorithms.longestLag), such: "2s")
  /// The times by which sightings may be late.
  public static let reorders = DurationRange(.zero...Duration.seconds(3600), such: "100ms")
  /// The times after which a silent node is lost.
  public static let silences = DurationRange(.zero...Duration.day, such: "30s")

  /// Creates a request with the default settings.
  public init() {}

  package var rule: EpochRule {
    EpochRule(
      step: epoch.nanoseconds, window: window?.nanoseconds, reorder: reorder.nanoseconds,
      silence: silence.nanoseconds, isOfTruth: epochsOf == .truth
    )
  }

  private var isSurveyed: Bool { !survey.isEmpty || radioMap != nil }

  /// A Boolean value that is true if there is a survey, and it is of a building.
  var isInBuilding = false

  private var chosenAlgorithm: String {
    if let algorithm { return algorithm }
    if isInBuilding { return "grid-filter:map=yes" }
    return isSurveyed ? "particle-filter:map=yes" : "particle-filter"
  }

  /// The reason for the algorithm if none was requested; otherwise `nil`.
  package var algorithmReason: String? {
    algorithm == nil
      ? "default \(isInBuilding ? "in a building" : isSurveyed ? "with a survey" : "without a survey")"
      : nil
  }

  /// The algorithm with its lag.
  var delayedAlgorithm: String {
    let algorithm = chosenAlgorithm
    guard lag != .zero else { return algorithm }
    return algorithm + (algorithm.contains(":") ? "," : ":") + "lag=\(written(duration: lag))"
  }

  /// The algorithm's name with all its settings.
  public var algorithmName: String {
    let algorithm = delayedAlgorithm
    guard spots else { return algorithm }
    return
      "attract:to=spots,of=\(algorithm.replacing(",", with: "+")),power=\(plain(spotPower)),"
      + "dead-zone=\(plain(spotDeadZone))"
  }

  /// The files that are read besides the recordings.
  var otherFiles: [String] {
    survey + [calibration, radioMap, rooms, site, nodes].compactMap(\.self)
  }
}

extension LocateRequest {
  /// Refuses values that are out of range or exclude each other, whatever the inputs hold.
  public func check() throws(RSSIError) {
    try checkTimes()
    try refuse(
      height.map { abs($0) > 1e6 || $0.isNaN }, "`height` \(plain(height ?? 0)): expected metres")
    try refuse(
      height != nil && dimensions == .space,
      "`height` and `dimensions` 3 do not go together: the height is either given or estimated")
    try refuse(
      radioMap != nil && !survey.isEmpty,
      "`radioMap` and `survey` do not go together: a map holds its survey; learn one from all with "
        + "`rssi map`")
    try checkSpots()
    _ = try ChosenAlgorithm(chosenAlgorithm, patience: patience)
    try checkLag()
  }

  private func checkLag() throws(RSSIError) {
    guard lag != .zero else { return }
    let name = chosenAlgorithm.prefix { $0 != ":" }
    let trackers = Algorithms.kinds.filter { $0.parameters.contains { $0.name == "lag" } }
      .map(\.name)
    try refuse(
      !trackers.contains(String(name)),
      "`lag`: \(name) does not wait for later sightings; \(listed(trackers)) do")
    _ = try ChosenAlgorithm(delayedAlgorithm, patience: patience)
  }

  private func checkTimes() throws(RSSIError) {
    try Self.epochs.require(epoch, "`epoch`")
    if let window { try Self.epochs.require(window, "`window`") }
    try Self.lags.require(lag, "`lag`")
    try Self.reorders.require(reorder, "`reorder`")
    try Self.silences.require(silence, "`silence`")
  }

  private func checkSpots() throws(RSSIError) {
    try refuse(
      !(0...1e6 ~= spotPower), "`spotPower` \(plain(spotPower)): expected a number from 0 on")
    try refuse(
      !(0...1e6 ~= spotDeadZone), "`spotDeadZone` \(plain(spotDeadZone)): expected metres from 0 on"
    )
    try refuse(
      !(0.01...1e6 ~= spotRule.radius),
      "`spotRadius` \(plain(spotRule.radius)): expected metres from 0.01 on")
    let (reached, left) = (spotRule.reached, spotRule.left)
    try refuse(
      !(left > 0 && left <= reached && reached < 1),
      "`spotLeft` \(plain(left)) and `spotReached` \(plain(reached)): expected probabilities between "
        + "0 and 1, the first not above the second")
    try refuse(
      (spots || events && rooms == nil) && site == nil,
      "`\(events ? "events" : "spots")` needs the spots of a site: name the file with `site`")
    try RoomAnnouncement.require(announce, "`announce`")
  }

  /// Refuses options that need a trace.
  func checkStream() throws(RSSIError) {
    try refuse(
      epochsOf == .truth, "`epochsOf` truth needs a trace with truth")
    try refuse(
      filtered != nil, "`filtered` needs a trace; a stream is filtered by `rssi filter -`")
    try refuse(
      calibration == nil && radioMap == nil && survey.isEmpty && rooms == nil,
      "a stream has no path-loss constants: give them with `calibration`")
  }

  private func refuse(_ isWrong: Bool?, _ problem: @autoclosure () -> String) throws(RSSIError) {
    if isWrong == true { throw RSSIError(.usage, problem()) }
  }
}

extension LocateRequest {
  /// Returns the nodes at known places of a stream's site.
  ///
  /// - Parameter known: the nodes of a replayed recording, whose places have precedence.
  /// - Throws: `RSSIError` for files that cannot be used.
  package func anchors(knowing known: Catalogue) throws -> KnownAnchors {
    try KnownAnchors(known, nodes: nodes, site: site.map { try Site(path: $0) })
  }

  /// Returns the names of the trained rooms and of the rooms of the site.
  ///
  /// - Throws: `RSSIError` for files that cannot be used.
  package func roomNames() throws -> [String] {
    let trained = try rooms.map { try RoomsFile(path: $0).model.rooms.map(\.name) } ?? []
    return Set(trained + (try site.map { try Site(path: $0).rooms.map(\.name) } ?? [])).sorted()
  }

  /// Returns the floor plan of a stream's site, with its picture.
  ///
  /// - Parameters:
  ///   - known: the nodes of a replayed recording, whose places have precedence.
  ///   - basis: the files of the request, if nodes are located.
  /// - Returns: the plan; nil if no place is known.
  /// - Throws: `RSSIError` for files that cannot be used.
  package func reportedSite(
    knowing known: Catalogue, _ names: BeaconNames, of basis: LocateBasis? = nil
  ) throws -> ReportedSite? {
    let plan =
      try basis?.plan ?? SitePlan(path: site, bounds: bounds, dimensions: dimensions)
    let anchors = try anchors(knowing: plan.onFloors(known))
    guard !anchors.isEmpty || plan.site != nil || plan.building != nil else { return nil }
    return try basis?.reported(anchors: anchors.all, names)
      ?? plan.reported(anchors: anchors.all, names, showsFloor: true)
  }
}
