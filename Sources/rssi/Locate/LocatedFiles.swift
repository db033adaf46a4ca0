import Geometry
import Inputs
import PathLoss
import Positioning
import Sightings
import Support
import TracePipelines
import TraceStore

/// Locates trace files, one after the other, and writes what was asked for.
struct LocatedFiles {
  let inputs: [String]
  let plan: LocatePlan
  let form: PositionForm?
  let name: String?
  let events: SpotEventOutput?

  func run() throws {
    try requireTraces()
    var report = LocateReport(plan)
    func locate(_ write: (LocatedPosition) throws -> Void) throws -> LocatedRecording? {
      var last: LocatedRecording?
      for path in inputs {
        let recording = try LocatedRecording(path, plan, constants: constants(of: path))
        for note in recording.notes { plan.reporting.note(note) }
        for position in recording.positions { try write(position) }
        report.add(recording, keepsPositions: form == nil)
        // Whoever is to be told of events is told here.
        if let events { for event in recording.events { try events.tell(event) } }
        last = recording
      }
      return last
    }
    if case .trace(let path) = form {
      if let recording = try locate({ _ in }) { try store(recording, in: path) }
    } else if let form {
      try form.write { _ = try locate($0) }
    } else {
      _ = try locate { _ in }
    }
    try events?.finish()
    guard form?.isStandardOutput != true, events == nil else { return }
    try plan.reporting.report(report.json, text: report.text)
  }

  /// - Throws: `RSSIError` for names of traces that no input has.
  private func requireTraces() throws {
    guard !plan.asking.trace.isEmpty else { return }
    let known = Set(try inputs.flatMap { try TraceReader(path: $0).catalogue.traces })
    if let unknown = plan.asking.trace.first(where: { !known.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no trace \"\(unknown)\"; there are "
          + listed(known.sorted(), 20))
    }
  }

  private func constants(of path: String) throws -> LinkConstants {
    if let calibration = plan.calibration {
      return try LinkConstants(
        try Calibration(path: calibration), of: calibration, group: plan.group)
    }
    guard try TraceReader(path: path).calibration() != nil else {
      throw RSSIError(
        .usage,
        "\(path) holds no path-loss constants: give them with --calibration, as `rssi fit -o` "
          + "writes them"
      )
    }
    return try LinkConstants(try Calibration(path: path), of: path, group: plan.group)
  }

  private func store(_ recording: LocatedRecording, in path: String) throws {
    let name = name ?? plan.algorithmName
    guard StoredPositions.isName(name) else {
      throw RSSIError(
        .usage,
        "\"\(name)\" cannot be a group in the file: give one without slashes with --name")
    }
    var settings = [
      "epoch": plan.asking.epoch, "window": plan.asking.window ?? plan.asking.epoch,
      "epochs_of": plan.asking.epochsOf.rawValue, "levels": recording.filter ?? "raw",
      "dimensions": plan.place.dimensions == 3 ? "space" : "plane",
      "spot_radius_m": plain(plan.spots.spotRadius), "spot_reached": plain(plan.spots.spotReached),
      "spot_left": plain(plan.spots.spotLeft),
    ]
    if let height = plan.place.height { settings["height_m"] = plain(height) }
    if let group = plan.group { settings["group"] = group }
    try write(
      StoredPositions(
        name: name, algorithm: plan.algorithmName, settings: settings,
        rows: recording.positions.map(StoredPosition.init)),
      into: recording.reader, at: path,
      adding: ToolIdentity.program.provenance(of: "locate", inputs: inputs + plan.files))
  }
}

extension StoredPosition {
  init(_ position: LocatedPosition) {
    self.init(
      time: position.time, role: position.node.role, node: position.node.index,
      trace: position.node.trace)
    anchors = UInt32(clamping: position.anchors)
    (room, spot) = (position.room ?? "", position.spot ?? "")
    refusal = position.refusal?.description ?? ""
    withoutCovariance = position.withoutCovariance?.description ?? ""
    guard let estimate = position.estimate else { return }
    (x, y, z) = (estimate.position.x, estimate.position.y, estimate.height ?? .nan)
    guard let covariance = estimate.uncertainty.covariance else { return }
    (varianceX, covarianceXY, varianceY) = (covariance.xx, covariance.xy, covariance.yy)
    guard let vertical = covariance.vertical else { return }
    (covarianceXZ, covarianceYZ, varianceZ) = (vertical.xz, vertical.yz, vertical.zz)
  }
}
