import Registries
import Support
import TraceStore

/// Calibrates beacons from recordings of a bench: every stay is a pose, and a file without stays is
/// one, or several of the length `split`.
public struct CalibrateStage: Stage {
  private let request: CalibrateRequest

  public init(_ request: CalibrateRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> CalibrateResult {
    try check()
    try requireDistinctInputs(request.inputs)
    if !request.beacon.isEmpty { try request.registry.learnNames(from: request.inputs) }
    let beacons = try request.beacons()
    let digests = try InputDigests(of: request.inputs)
    let table = try poses(request.table(of: beacons), context.log)
    _ = try request.registry.learn(from: request.inputs)
    if let doubt = request.registry.doubt(heard: table.heard.keys.sorted()) {
      context.log.warn(doubt)
    }
    if let missing = request.series.first(where: { !table.seenSeries.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no series \"\(missing)\"; there are " + listed(table.seenSeries.sorted()))
    }
    return try CalibrateResult(
      beacons, in: table, precision: request.precision, inputs: digests.wait())
  }

  /// - Throws: `RSSIError` if the numbers of files, distances and names do not match.
  private func check() throws(RSSIError) {
    try request.check()
    let (files, distances) = (request.inputs.count, request.distance.count)
    guard distances <= 1 || distances == files else {
      throw RSSIError(
        .usage,
        "\(files) files and \(distances) distances: give one `distance` for all, or one for each "
          + "file")
    }
    guard request.split != nil || request.pose.isEmpty || request.pose.count == files else {
      throw RSSIError(
        .usage,
        "\(files) files and \(request.pose.count) poses: `pose` names the pose of each file")
    }
  }

  private func poses(_ empty: PoseMeasurements, _ log: any ActivityLog) throws -> PoseMeasurements {
    var table = empty
    for (index, input) in request.inputs.enumerated() {
      try forEachBlock(
        of: input, [.time, .link, .rssi, .stay, .channel, .radio], filtered: nil,
        columns: request.columns, note: log.note
      ) { rows, catalogue in table.add(rows, catalogue) }
      try table.endFile(
        input,
        distance: request.distance.count > 1 ? request.distance[index] : request.distance.first,
        name: request.pose.isEmpty || request.split != nil ? nil : request.pose[index])
    }
    if request.split != nil, !request.pose.isEmpty { try table.namePieces(request.pose) }
    return table
  }
}
