import Advertising
import PathLoss
import Recordings
import Registries
import Sightings
import Support
import TraceStore

/// Converts recordings and tables to a trace: each recording is one trace in it, with the name of
/// its file, or all are one with a common name.
///
/// ```swift
/// let request = ImportRequest(
///   files: ["walk.btsnoop"], output: "walk.h5", nodes: "nodes.csv", receiver: "phone")
/// _ = try ImportStage(request).run()
/// ```
public struct ImportStage: Stage {
  private let asked: Shared<ImportRequest>
  private var request: ImportRequest { asked.value }

  public init(_ request: ImportRequest) { asked = Shared(request) }

  public func perform(in context: StageContext) throws -> ImportResult {
    try ImportRun(request, log: context.log).writeTrace(by: context.tool)
  }

  /// Writes the sightings as lines for the next stage, instead of a trace.
  public func stream(in context: StageContext) throws {
    let run = try ImportRun(request, log: context.log)
    if let lines = context.lines { try run.writeStream(to: lines) }
  }
}

/// One import.
private final class ImportRun {
  private let request: ImportRequest
  private let kinds: [InputKind]
  private let log: any ActivityLog

  /// Recognises the files by their content.
  ///
  /// - Throws: `RSSIError` for a file that cannot be read or is of unknown kind, and for a name
  ///   that a trace cannot hold.
  init(_ request: ImportRequest, log: any ActivityLog) throws {
    (self.request, self.log) = (request, log)
    kinds = try request.files.map { file in
      let kind = try InputKind(path: file)
      if kind == .stream,
        let error = KnownFile.misplaced(file, for: "a recording", of: [.sightings])
      {
        throw error
      }
      return kind
    }
    try requireDistinctInputs(request.files.flatMap(tableFiles))
    try requireDistinctInputs(request.truth)
    try checkStanding()
    // Before everything is read.
    for file in request.files {
      try TextLimit.trace.require(
        traceName(file) ?? fileStem(tableFiles(file)[0]), "name of the trace")
    }
    for receiver in [request.receiver].compactMap(\.self) + request.receivers.values {
      try TextLimit.name.require(receiver, "name of the receiver")
    }
    for (file, kind) in zip(request.files, kinds) where !kind.isRecording {
      guard let name = request.receivers[file] else { continue }
      throw RSSIError(
        .usage, "@receiver=\(name) is for recordings, and this is a table", in: file,
        advice: "name its receiver with `columns` \"receiver='\(name)'\"")
    }
  }

  /// Refuses an invalid distance, and a distance for tables, which have columns for it.
  private func checkStanding() throws(RSSIError) {
    guard let (distance, pose) = request.standing else { return }
    guard distance.isFinite, distance >= Station.nearest, DistanceStay.distances.contains(distance)
    else {
      throw RSSIError(
        .usage, "`distance` \(plain(distance)): expected metres, at least 0.01")
    }
    guard pose.utf8.count <= 64, !pose.utf8.contains(where: { $0 < 0x20 }) else {
      throw RSSIError(
        .usage, "`pose`: expected 0 to 64 bytes without control characters")
    }
    for (file, kind) in zip(request.files, kinds) where !kind.isRecording {
      throw RSSIError(
        .usage,
        "`distance` is for recordings, and \(file == "-" ? "the standard input" : file) is a "
          + "table: write its distances into a column distance_m (docs/tables.md)")
    }
  }

  /// Writes the trace.
  func writeTrace(by tool: ToolIdentity) throws -> ImportResult {
    let inputs =
      request.files + [request.nodes, request.registryPath].compactMap(\.self) + request.truth
    let digests = try InputDigests(of: inputs)
    let provenance = try tool.provenance(of: "import", inputs: [])
    var builder = TraceBuilder(
      into: SummingSink(try TraceSink(path: request.output, provenance: provenance)))
    let hasCommonSightings = try read(into: &builder)
    let heardTraces = Set(builder.catalogue.traces)
    let heard = (builder.catalogue.beacons.count, builder.catalogue.receivers.count)
    // First, so that a table of this very site overrides it.
    request.registry?.describeBeacons(of: &builder)
    let anchors =
      try request.nodes.map {
        try NodeCSV.read($0, request.nodeColumns, note: log.note, into: &builder)
      } ?? []
    for table in request.truth {
      try TruthCSV.read(table, request.truthColumns, note: log.note, into: &builder)
    }
    try builder.settleFloors()
    let catalogue = try builder.complete()
    try checkPlaces(catalogue)
    let counts = builder.sink.counts()
    let packets = PacketFigures(
      builder.counts, sightings: builder.counts.sightings - builder.leftOut,
      leftOut: builder.leftOut)
    let result = ImportResult(figures: counts.figures, packets: packets)
    try builder.takeSink().finish(catalogue, inputs: digests.wait())
    let doubt = request.registry?.doubt(
      heard: catalogue.beacons.prefix(heard.0).map(\.id),
      senders: catalogue.advertisers.map(\.bits))
    if let doubt { log.warn(doubt) }
    noteUnheard(anchors, catalogue, heard: heard)
    noteMissing(catalogue, heard: heard)
    noteTruthApart(counts.heard, catalogue, heardTraces: heardTraces)
    if !hasCommonSightings {
      for sentence in counts.repeated.sentences(traces: catalogue.traces) { log.warn(sentence) }
    }
    log.reportRefusals(catalogue)
    return result
  }

  /// Refuses positions that are not in metres, and names their tables.
  private func checkPlaces(_ catalogue: Catalogue) throws(RSSIError) {
    do {
      for doubt in try catalogue.requireUsablePlaces() { log.warn(doubt) }
      for doubt in catalogue.implausibleMoves() { log.warn(doubt) }
    } catch {
      let tables = [request.nodes, request.registryPath].compactMap(\.self) + request.truth
      var named = error
      named.subject =
        error.subject ?? (tables.isEmpty ? request.files : tables).joined(separator: ", ")
      throw named
    }
  }

  /// Writes the sightings as lines for the next stage.
  func writeStream<Output: LineWriter>(to output: Output) throws {
    var builder = TraceBuilder(into: SightingLineSink(output))
    _ = try read(into: &builder)
    log.reportRefusals(try builder.complete())
  }

  /// Returns the name of a file's trace, with its folders if another file has the same name.
  private func traceName(_ file: String) -> String? {
    if let trace = request.trace { return trace }
    let isShared = request.files.count { fileStem($0) == fileStem(file) } > 1
    return isShared ? withoutExtension(file) : nil
  }

  /// Reads the inputs in order, each as one trace, or all as one.
  ///
  /// - Returns: true if inputs of one trace have sightings in common.
  private func read<Sink: SightingSink & ~Copyable>(
    into builder: inout TraceBuilder<Sink>
  ) throws -> Bool {
    let files = request.files
    let progress = FilesProgress("import", files, log: log)
    defer { progress.finish() }
    // Recordings have the name at once; tables name their traces themselves.
    if let trace = request.trace, files.count > 1 || !kinds.allSatisfy(\.isRecording) {
      let folder = request.output == "-" ? nil : FilePlace(request.output).folder
      var joined = try JoinedInputs(trace, in: folder)
      for index in files.indices {
        try joined.add(files[index]) { try read(index, into: &$0, progress.file(index)) }
      }
      let warnings = try joined.merge(request.selection, into: &builder, SilentLog())
      for warning in warnings { log.warn(warning) }
      return !warnings.isEmpty
    }
    let selection = request.selection
    if !selection.isEverything { builder.chosenTimes = { selection.span(from: $0) } }
    for index in files.indices { try read(index, into: &builder, progress.file(index)) }
    guard let all = builder.allTimes, builder.leftOut == builder.counts.sightings else {
      return false
    }
    throw RSSIError(
      .badInput,
      "no sighting is in the selected span; sightings are from "
        + "\(Timestamp.iso8601(all.lowerBound)) to \(Timestamp.iso8601(all.upperBound))")
  }

  /// Reads one input.
  private func read<Sink: SightingSink & ~Copyable>(
    _ index: Int, into builder: inout TraceBuilder<Sink>, _ progress: any ActivityProgress
  ) throws {
    defer { progress.finish() }
    let file = request.files[index]
    builder.standing = request.standing
    var columns = request.columns
    columns.receiver = request.receiver
    try readInput(
      file, kinds[index], receiver: request.receivers[file] ?? request.receiver,
      trace: traceName(file), keepsWrongChecksums: request.keepsWrongChecksums,
      columns: columns, progress: progress, note: log.note, into: &builder)
  }

  /// Warns if truth is of another time than the sightings, or of a trace without sightings.
  private func noteTruthApart(
    _ census: HeardCensus, _ catalogue: Catalogue, heardTraces: Set<String>
  ) {
    let apart = census.truthApart(catalogue)
    for sentence in apart.prefix(3) { log.warn(sentence) }
    if apart.count > 3 {
      log.warn(
        "the truth of \(apart.count - 3) more traces does not overlap their sightings")
    }
    let strange = catalogue.traces.filter { !heardTraces.contains($0) }
    if !strange.isEmpty {
      log.warn(
        "`truth` has traces without sightings: \(listed(strange, 4)); those with "
          + "sightings are "
          + listed(heardTraces.sorted()))
    }
  }

  /// Warns of nodes at known places whose names were not heard, mostly because of another spelling.
  ///
  /// - Parameter heard: the numbers of beacons and receivers with sightings; later ones are from
  ///   tables.
  private func noteUnheard(
    _ anchors: [(role: NodeRole, index: Int)], _ catalogue: Catalogue,
    heard: (beacons: Int, receivers: Int)
  ) {
    for (role, nodes, count) in [
      (NodeRole.beacon, catalogue.beacons, heard.beacons),
      (.receiver, catalogue.receivers, heard.receivers),
    ] {
      let doubts = unheardNodes(
        anchors.filter { $0.role == role }.map { nodes[$0.index].id },
        among: nodes.prefix(count).map(\.id),
        as: role == .beacon ? "beacons" : "receivers",
        of: "at known places in \(request.nodes ?? "")",
        senders: role == .beacon ? catalogue.advertisers : [])
      for doubt in doubts { log.warn(doubt) }
    }
  }

  /// Warns of truth for a node without a sighting, mostly because of another spelling.
  ///
  /// - Parameter heard: the numbers of beacons and receivers with sightings; later ones are from
  ///   tables.
  private func noteMissing(_ catalogue: Catalogue, heard: (beacons: Int, receivers: Int)) {
    var beacons: Set<Int> = []
    var receivers: Set<Int> = []
    for point in catalogue.truth {
      switch point.role {
      case .beacon: beacons.insert(Int(point.node))
      case .receiver: receivers.insert(Int(point.node))
      }
    }
    for level in catalogue.levels {
      beacons.insert(Int(level.beacon))
      receivers.insert(Int(level.receiver))
    }
    let silent = Set(
      beacons.filter { $0 >= heard.beacons }.map { catalogue.beacons[$0].id }
        + receivers.filter { $0 >= heard.receivers }.map { catalogue.receivers[$0].id })
    guard !silent.isEmpty else { return }
    log.warn(
      "`truth` has nodes without sightings: \(listed(silent.sorted())); the receivers with "
        + "sightings are "
        + listed(catalogue.receivers.prefix(heard.receivers).map(\.id))
        + ": name the receiver of a recording with `receiver`")
  }
}

/// Returns a path without its last extension: `day-1/walk` of `day-1/walk.btsnoop`.
private func withoutExtension(_ path: String) -> String {
  let stem = fileStem(path)
  guard let slash = path.lastIndex(of: "/") else { return stem }
  return path[...slash] + stem
}
