public import Evaluation
import Geometry
import PathLoss
import Positioning
import Registries
import Sightings
public import Support
import TraceStore

/// Traces to locate the moving nodes of.
public struct TraceLocateRequest {
  /// The paths of the traces.
  public var inputs: [String]
  /// The request to locate, with the files that it names.
  public var basis: LocateBasis
  /// The trace to write the positions of the only input into; `nil` for none.
  public var output: PositionsOutput?
  /// A Boolean value that is true if the result keeps the traces, such as for a picture.
  public var keepsTraces = false
  /// A function that receives the positions of one trace after the other, in order; only some
  /// traces per core are in memory at a time.
  public var take: (LocatedTrace) throws -> Void = { _ in }

  /// Creates a request to locate the nodes of traces.
  public init(_ inputs: [String], by basis: LocateBasis) {
    (self.inputs, self.basis) = (inputs, basis)
  }
}

/// A trace to write positions into, which may be the one that is located.
public struct PositionsOutput: Sendable {
  /// The path of the trace to write.
  public var path: String
  /// The name of the positions; `nil` for that of the algorithm.
  public var name: String?
  /// Settings as a user wrote them, which the file keeps.
  public var settings: [String: String]

  /// Creates an output; a nil name stands for that of the algorithm.
  public init(path: String, name: String?, settings: [String: String]) {
    (self.path, self.name, self.settings) = (path, name, settings)
  }
}

/// The located traces, if the request keeps them.
public struct TraceLocateResult: Sendable {
  fileprivate let basis: LocateBasis
  /// The located traces, in the order of the inputs.
  public fileprivate(set) var traces: [LocatedTrace] = []

  /// Returns the floor plan of the site, its picture included.
  ///
  /// - Throws: `RSSIError` for a picture that cannot be used.
  public func floorPlan() throws -> ReportedSite {
    var seen: Set<String> = []
    let anchors = traces.flatMap(\.anchors).filter { seen.insert($0.id).inserted }
    return try basis.reported(anchors: anchors, BeaconNames(basis.request.registry))
  }
}

/// Estimates the positions of the moving nodes of traces, several traces at a time.
///
/// ```swift
/// var request = LocateRequest()
/// request.calibration = "bench.json"
/// for trace in try TraceLocateStage(["walk.h5"], request).run().traces {
///   for position in trace.positions { print(position.time, position.node, position.outcome) }
/// }
/// ```
public struct TraceLocateStage: Stage {
  private var request: TraceLocateRequest

  public init(_ request: TraceLocateRequest) { self.request = request }

  /// Creates a stage whose result keeps the positions of all traces.
  ///
  /// - Parameter inputs: the paths of the traces.
  /// - Throws: `RSSIError` for files of the request that cannot be used.
  public init(_ inputs: [String], _ request: LocateRequest) throws(RSSIError) {
    do {
      self.request = TraceLocateRequest(inputs, by: try LocateBasis(request))
    } catch {
      throw RSSIError(error)
    }
    self.request.keepsTraces = true
  }

  /// Locates the moving nodes of the traces.
  ///
  /// - Throws: `RSSIError` for traces that cannot be used, and for names of traces that no input
  ///   has.
  public func perform(in context: StageContext) throws -> TraceLocateResult {
    let (traces, nodes) = (request.basis.request.trace, request.basis.request.node)
    if !traces.isEmpty || !nodes.isEmpty {
      let readers = try request.inputs.map { try TraceReader(path: $0) }
      try requireTraces(traces, in: readers)
      try requireNodes(nodes, in: readers.map(\.catalogue))
    }
    let basis = try request.basis.onFloors(
      of: request.inputs.map { path in
        let whole = try TraceReader(path: path).catalogue
        var nodes = Catalogue()
        (nodes.floors, nodes.beacons, nodes.receivers) = (
          whole.floors, whole.beacons, whole.receivers
        )
        return nodes
      })
    var result = TraceLocateResult(basis: basis)
    try locate(by: basis, log: context.log) { located in
      for note in located.notes { context.log.warn(note) }
      try request.take(located)
      if let output = request.output {
        try write(located, by: basis, to: output, by: context.tool)
      }
      if request.keepsTraces { result.traces.append(located) }
    }
    return result
  }

  /// Refuses names of nodes that no input has.
  private func requireNodes(_ names: [String], in catalogues: [Catalogue]) throws {
    for name in names {
      var chosen = ChosenNodes([name])
      let isKnown = catalogues.contains { catalogue in
        catalogue.receivers.contains { chosen.takes($0.id, of: .receiver, sentFrom: []) }
          || catalogue.beacons.contains { chosen.takes($0.id, of: .beacon, sentFrom: []) }
      }
      // The identities that an address sent are found while the trace is read.
      guard isKnown || chosen.hasAddresses else {
        let ids = Set(catalogues.flatMap { $0.receivers.map(\.id) + $0.beacons.map(\.id) }).sorted()
        throw RSSIError(
          .badInput, "there is no node \"\(name)\"\(didYouMean(name, among: ids))",
          advice: "name a receiver or a beacon of the traces")
      }
    }
  }

  private func locate(
    by basis: LocateBasis, log: any ActivityLog, take: (LocatedTrace) throws -> Void
  ) throws {
    let inputs = request.inputs
    if let path = inputs.first, inputs.count == 1 { return try take(basis.located(path)) }
    let line = log.progress("locate: files", total: inputs.count)
    defer { line.finish() }
    // One line of progress is enough for files that are located at the same time.
    let quiet = basis.quiet
    var done = 0
    try parallelInOrder(inputs.count) {
      try quiet.located(inputs[$0])
    } take: { located in
      done += 1
      line.update(done)
      try take(located)
    }
  }

  /// Writes positions into a copy of their trace.
  private func write(
    _ located: LocatedTrace, by basis: LocateBasis, to output: PositionsOutput,
    by tool: ToolIdentity
  ) throws {
    let asked = basis.request
    let own = located.catalogue.floors
    let floors =
      own + basis.plan.floors.filter { floor in !own.contains { $0.name == floor.name } }
    try TraceStore.write(
      try asked.stored(located, on: floors, output), on: floors,
      into: TraceReader(path: located.path, toRewriteAt: output.path), at: output.path,
      adding: tool.provenance(of: "locate", inputs: request.inputs + asked.otherFiles))
  }
}

extension LocateRequest {
  /// Returns the positions of a trace as its file stores them.
  fileprivate func stored(
    _ located: LocatedTrace, on floors: [Floor], _ output: PositionsOutput
  ) throws(RSSIError) -> StoredPositions {
    let name = output.name ?? algorithmName
    guard StoredPositions.isName(name) else {
      throw RSSIError(
        .usage,
        "\"\(name)\" cannot be a group in the file: give one without slashes with `name`")
    }
    var settings = [
      "epoch": written(duration: rule.step), "window": written(duration: rule.window),
      "epochs_of": epochsOf.rawValue, "levels": located.filter ?? "raw",
      "dimensions": dimensions == .space ? "space" : "plane",
      "spot_radius_m": plain(spotRule.radius), "spot_reached": plain(spotRule.reached),
      "spot_left": plain(spotRule.left),
    ]
    if let height { settings["height_m"] = plain(height) }
    if let group { settings["group"] = group }
    return StoredPositions(
      name: name, algorithm: algorithmName,
      settings: settings.merging(output.settings) { $1 },
      rows: located.positions.map { StoredPosition($0, among: floors) })
  }
}

extension StoredPosition {
  /// - Parameter floors: the floors of the trace and of the building.
  fileprivate init(_ position: LocatedPosition, among floors: [Floor]) {
    self.init(
      time: position.time, role: position.node.role, node: position.node.index,
      trace: position.node.trace)
    anchors = UInt32(clamping: position.anchors)
    (room, spot) = (position.room ?? "", position.spot ?? "")
    refusal = position.refusal?.description ?? ""
    withoutCovariance = position.withoutCovariance?.description ?? ""
    guard let estimate = position.estimate else { return }
    if let name = position.floor, let row = floors.firstIndex(where: { $0.name == name }) {
      floor = UInt16(row)
      floorProbabilities = floors.map { Float(position.floorProbabilities[$0.name] ?? 0) }
    }
    (x, y, z) = (estimate.position.x, estimate.position.y, estimate.height ?? .nan)
    guard let covariance = estimate.uncertainty.covariance else { return }
    (varianceX, covarianceXY, varianceY) = (covariance.xx, covariance.xy, covariance.yy)
    guard let vertical = covariance.vertical else { return }
    (covarianceXZ, covarianceYZ, varianceZ) = (vertical.xz, vertical.yz, vertical.zz)
  }
}
