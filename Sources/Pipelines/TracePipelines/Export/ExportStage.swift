import Advertising
import NumericalMethods
import PathLoss
import Proximity
import Recordings
public import Registries
import Sightings
public import Support
import TraceStore

/// A format to export sightings in.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// The text and recording formats: comma-separated values, one JSON object per line, and btsnoop.
  case csv, ndjson, btsnoop
  /// A trace file.
  case trace = "h5"

  /// Finds the format by the extension of an output; the standard output is NDJSON.
  ///
  /// - Throws: `RSSIError` of kind `usage` for an extension that no format has.
  public init(ofOutput path: String) throws(RSSIError) {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    guard let format = path == "-" ? .ndjson : ExportFormat(rawValue: ending) else {
      throw RSSIError(
        .usage,
        (ending.isEmpty ? "\(path) has no extension" : "\(ending) is not supported")
          + ": name a file in .csv, .ndjson, .btsnoop or .h5, or choose with `format`")
    }
    self = format
  }
}

/// Sightings to write in another format.
public struct ExportRequest: Sendable {
  /// Traces; several follow one another.
  public var inputs: [String]
  /// The file to write; - is the lines of the context, or standard output for btsnoop.
  public var output: String
  /// The format of the output.
  public var format: ExportFormat
  /// The filter whose levels to write, instead of the raw ones.
  public var filtered: String?
  /// A calibration for distances in text formats: a file, or a trace that contains one.
  public var calibration: String?
  /// Measured powers of single beacons.
  public var registry = Registry()
  /// The sightings to export; all by default.
  public var selection = SightingSelection()

  /// Creates a request to export traces.
  ///
  /// - Parameter format: `nil` for that of the output's extension.
  public init(
    _ inputs: [String], to output: String, format: ExportFormat? = nil
  ) throws(RSSIError) {
    (self.inputs, self.output) = (inputs, output)
    self.format = if let format { format } else { try ExportFormat(ofOutput: output) }
  }

  /// Refuses options that the format does not support.
  public func check() throws(RSSIError) {
    if calibration != nil, format == .trace || format == .btsnoop {
      throw RSSIError(
        .usage, "`calibration`: \(format.rawValue) has no column for estimated distances",
        advice: "write CSV or NDJSON")
    }
    guard filtered == nil || format != .trace else {
      throw RSSIError(.usage, "a trace has the levels of all filters: leave `filtered` out")
    }
  }
}

/// Writes the sightings of traces in another format.
public struct ExportStage: Stage {
  private let request: ExportRequest

  public init(_ request: ExportRequest) { self.request = request }

  public func perform(in context: StageContext) throws {
    try request.check()
    guard request.format != .trace else {
      var merge = MergeRequest(request.inputs, to: request.output)
      merge.selection = request.selection
      merge.stage = "export"
      _ = try MergeStage(merge).run(in: context)
      return
    }
    let run = try ExportRun(request, log: context.log)
    let output = request.output
    guard request.format != .btsnoop else { return try run.writeRecording(to: output) }
    let isCSV = request.format == .csv
    if output == "-" {
      try run.writeText(isCSV: isCSV) { try context.lines?.write($0) }
    } else {
      try writeWhole(to: output) { try run.writeText(isCSV: isCSV, $0) }
    }
  }
}

/// One export of text or of a recording.
private final class ExportRun {
  private let inputs: [String]
  private let filtered: String?
  private let distances: ExportedDistances?
  private let selection: SightingSelection
  private let log: any ActivityLog

  /// - Throws: `RSSIError` for a filter without levels in the trace, for a calibration
  ///   that gives no distances, and for a selection without a sighting.
  init(_ request: ExportRequest, log: any ActivityLog) throws {
    let calibration = try request.calibration.map { (try Calibration(path: $0), path: $0) }
    if let calibration {
      try DistanceModels.requireDistances(of: calibration.0, calibration.path)
    }
    distances = calibration.map { ExportedDistances($0, request.registry) }
    (inputs, filtered, selection) = (request.inputs, request.filtered, request.selection)
    self.log = log
    let rows = RowSelection(selection)
    for input in inputs {
      let reader = try TraceReader(path: input)
      if let filtered { try requireFilter(filtered, of: reader) }
      guard !selection.isEverything else { continue }
      try reader.forEachBlock(fields([.time, .link])) {
        _ = rows.rows(of: $0, in: reader.catalogue)
      }
      rows.endFile(reader.catalogue)
    }
    try rows.requireSightings()
  }

  /// Returns the needed columns, with those that the selection reads.
  private func fields(_ needed: SightingFields) -> SightingFields {
    selection.needsSenders ? needed.union(.radio) : needed
  }

  /// Passes on the sightings as text, some lines at a time, in order and in constant memory.
  ///
  /// - Parameter isCSV: CSV with a header, else NDJSON. Either can be imported again.
  func writeText(isCSV: Bool, _ write: (String) throws -> Void) throws {
    let readers = try inputs.map { try TraceReader(path: $0) }
    // With a calibration, the true distances have a separate column.
    let hasTruth = distances != nil && readers.contains { !$0.catalogue.stays.isEmpty }
    let hasFloors = readers.contains { !$0.catalogue.traceFloors.isEmpty }
    let hasAngles = readers.contains(where: \.hasAngles)
    if isCSV {
      try write(
        "trace,time_s,receiver,beacon,rssi_dbm,channel,distance_m"
          + (distances == nil ? "" : ",distance_low_m,distance_high_m")
          + (hasTruth ? ",true_distance_m" : "") + (hasFloors ? ",floor" : "")
          + (hasAngles ? ",azimuth_deg,elevation_deg\n" : "\n"))
    }
    var distances = distances
    for reader in readers {
      try writeText(
        of: reader, isCSV: isCSV, hasTruth: hasTruth, hasFloors: hasFloors, hasAngles: hasAngles,
        &distances, write)
      distances?.endFile()
    }
  }

  private func writeText(
    of reader: TraceReader, isCSV: Bool, hasTruth: Bool, hasFloors: Bool, hasAngles: Bool,
    _ distances: inout ExportedDistances?, _ write: (String) throws -> Void
  ) throws {
    let catalogue = reader.catalogue
    let selected = RowSelection(selection)
    let progress = log.progress("export", total: reader.count)
    defer { progress.finish() }
    var done = 0
    try reader.forEachBlock(
      fields([.time, .link, .rssi, .stay, .channel, .angle]), filtered: filtered, rows: 16_384
    ) { rows in
      let rows = copy rows
      let chosen = selected.rows(of: rows, in: catalogue)
      distances?.open(rows, chosen, catalogue, log)
      let distances = distances
      // Writing numbers as text takes several times as long as reading them.
      let step = 1024
      let texts = parallel((chosen.count + step - 1) / step) { number in
        chosen[number * step..<min((number + 1) * step, chosen.count)].reduce(into: "") {
          let estimate = distances?.estimate(rows, $1)
          $0 +=
            isCSV
            ? csvLine(
              rows, $1, catalogue, estimate, hasTruth: hasTruth, hasFloors: hasFloors,
              hasAngles: hasAngles)
            : ndjsonLine(rows, $1, catalogue, estimate)
        }
      }
      for text in texts { try write(text) }
      done += rows.count
      progress.update(done)
    }
  }

  /// Writes the raw advertisements as btsnoop, for Wireshark and btmon.
  ///
  /// - Parameter path: a file, which appears when it is complete, or - for the standard output.
  /// - Throws: `RSSIError` of kind `usage` for filtered levels: a recording contains levels as they
  ///   were received.
  func writeRecording(to path: String) throws {
    guard filtered == nil else {
      throw RSSIError(.usage, "btsnoop contains levels as received: leave out `filtered`")
    }
    guard inputs.count == 1 else {
      throw RSSIError(
        .usage, "btsnoop contains one recording, and adapters of several traces share numbers",
        advice: "merge the traces first, with `rssi merge`")
    }
    guard path != "-" else {
      var writer = try BTSnoopWriter(path: "-")
      try write(to: &writer)
      return try writer.close()
    }
    var file = try AtomicFile(path: path)
    var writer = try BTSnoopWriter(path: file.temporaryPath)
    try write(to: &writer)
    try writer.close()
    try file.commit()
  }

  private func write(to writer: inout BTSnoopWriter) throws {
    let selected = RowSelection(selection)
    let reader = try TraceReader(path: inputs[0])
    let progress = log.progress("export", total: reader.count)
    defer { progress.finish() }
    var done = 0
    let skipped = try forEachReport(of: reader, into: &writer) { rows in
      done += rows.count
      progress.update(done)
      return selected.rows(of: rows, in: reader.catalogue)
    }
    if skipped > 0 { log.note("left out \(skipped) sightings that came from a table") }
  }
}

private func ndjsonLine(
  _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, _ estimate: EstimatedDistance?
) -> String {
  SightingLine(
    rows, row, catalogue, level: rows.rssi[row],
    variance: rows.variance.isEmpty ? .nan : rows.variance[row], estimate: estimate
  ).text
}

private func csvLine(
  _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue, _ estimate: EstimatedDistance?,
  hasTruth: Bool, hasFloors: Bool, hasAngles: Bool
) -> String {
  let rssi = rows.rssi[row]
  let stay = Int(rows.stay[row])
  let truth = stay < catalogue.stays.count ? plain(catalogue.stays[stay].distance) : ""
  let sighting = [
    CSV.text(catalogue.traces[Int(rows.trace[row])]), Timestamp.decimalSeconds(rows.time[row]),
    CSV.text(catalogue.receivers[Int(rows.receiver[row])].id),
    CSV.text(catalogue.beacons[Int(rows.beacon[row])].id), rssi.isNaN ? "" : plain(rssi),
    rows.channel[row] == 255 ? "" : String(rows.channel[row]),
  ].joined(separator: ",")
  let floor = catalogue.floorName(catalogue.traceFloors[rows.trace[row]]) ?? ""
  let angle = rows.angle(row)
  let angles = [angle.azimuthDeg, angle.elevationDeg].map { "," + ($0.isNaN ? "" : plain($0)) }
  let end =
    (hasFloors ? "," + CSV.text(floor) : "") + (hasAngles ? angles.joined() : "") + "\n"
  guard let estimate else { return "\(sighting),\(truth)\(end)" }
  let distances = estimate.texts.map { $0 ?? "" }.joined(separator: ",")
  return "\(sighting),\(distances)\(hasTruth ? "," + truth : "")\(end)"
}

/// The distances of exported levels, by the constants of their links.
struct ExportedDistances {
  private var models: DistanceModels
  private let registry: Registry
  /// The models of the links of one file; nil for a link that has none.
  private var links: [Link: DistanceModel?] = [:]

  init(_ calibration: (Calibration, path: String), _ registry: Registry) {
    models = DistanceModels(calibration)
    self.registry = registry
  }

  /// Forgets the links, whose numbers are valid in one file.
  mutating func endFile() { links.removeAll() }

  /// Finds the models of the links of some rows.
  ///
  /// - Parameter log: receives notes about the models, each once.
  mutating func open(
    _ rows: SightingColumns, _ chosen: [Int], _ catalogue: Catalogue, _ log: any ActivityLog
  ) {
    var last: Link?
    for row in chosen {
      let link = rows.link(row)
      guard link != last else { continue }
      last = link
      guard links[link] == nil else { continue }
      let beacon = catalogue.beacons[Int(rows.beacon[row])]
      links[link] = .some(
        models.model(
          of: beacon, receiver: catalogue.receivers[Int(rows.receiver[row])].id,
          trace: catalogue.traces[Int(rows.trace[row])], registered: registry[id: beacon.id]))
      for note in models.takeNotes() { log.warn(note) }
    }
  }

  /// Returns the distance of a row's level; empty if its link or its level has none.
  func estimate(_ rows: SightingColumns, _ row: Int) -> EstimatedDistance {
    let level = Double(rows.rssi[row])
    guard !level.isNaN, case let model?? = links[rows.link(row)],
      let found = model.distance(
        atLevel: level, variance: rows.variance.isEmpty ? .nan : Double(rows.variance[row]))
    else { return EstimatedDistance() }
    return EstimatedDistance(
      distance: found.distance, lower: found.interval?.lower, upper: found.interval?.upper)
  }
}
