import Advertising
import Glibc
import Sightings
import Support
import TraceStore

/// Several inputs as one trace in order of time: each is read into a temporary trace, and their rows
/// are merged as `MergeStage` does, in constant memory.
struct JoinedInputs: ~Copyable {
  private let name: String
  private let folder: TemporaryFolder
  private var readers: [TraceReader] = []
  private var files: [String] = []
  private var counts = DecodingCounts()

  /// - Parameters:
  ///   - name: the name of the trace.
  ///   - folder: the folder of the temporary traces; nil = that of temporary files.
  init(_ name: String, in folder: String?) throws(RSSIError) {
    self.name = name
    self.folder = try TemporaryFolder(in: folder)
  }

  /// Reads an input.
  ///
  /// - Parameter read: reads it into a builder.
  mutating func add(
    _ file: String, _ read: (inout TraceBuilder<TraceSink>) throws -> Void
  ) throws {
    let path = "\(folder.path)/\(readers.count + 1).h5"
    let heading = TraceHeading(provenance: [])
    var builder = TraceBuilder(into: try TraceSink(path: path, heading: heading))
    try read(&builder)
    counts.merge(builder.counts)
    try builder.settleFloors()
    let catalogue = try builder.complete()
    guard catalogue.traces.count < 2 else {
      throw RSSIError(
        .badInput, "it contains several traces (\(listed(catalogue.traces, 4)))", in: file,
        advice: "import it without `trace`")
    }
    try builder.takeSink().finish(catalogue)
    allowOpenFiles(readers.count + 1)
    // The open file remains without its name.
    defer { unlink(path) }
    readers.append(try TraceReader(path: path))
    files.append(file)
  }

  /// Merges the inputs.
  ///
  /// - Parameter selection: the times to take.
  /// - Returns: warnings about sightings that two inputs have in common.
  func merge<Sink: SightingSink & ~Copyable>(
    _ selection: SightingSelection, into builder: inout TraceBuilder<Sink>,
    _ progress: any ActivityProgress
  ) throws -> [String] {
    let selections = try selections(selection)
    let parts = zip(readers, selections).map { TracePart($0, selection: $1) }
    let known = MergedTables(isShared: true)
    for part in parts { try part.begin(&builder, known: known, traceName: name) }
    if selection.isEverything {
      builder.account(forKnown: counts)
    } else {
      builder.account(for: counts)
    }
    var order = PartOrder(parts)
    var repeated = RepeatedRows()
    var common: [ClosedRange<Int>: Int] = [:]
    var count = 0
    while let index = order.next(), let row = parts[index].head?.sighting {
      if let other = repeated.part(with: row, of: index) {
        common[min(other, index)...max(other, index), default: 0] += 1
      }
      try builder.append(row)
      try parts[index].advance(&builder)
      count += 1
      progress.update(count)
    }
    builder.leaveOut(readers.reduce(0) { $0 + $1.count } - count)
    return common.filter { pair, count in
      let shorter = min(parts[pair.lowerBound].count, parts[pair.upperBound].count)
      return count >= Self.fewestCommon && Double(count) >= Self.notable * Double(shorter)
    }
    .sorted { ($0.key.lowerBound, $0.key.upperBound) < ($1.key.lowerBound, $1.key.upperBound) }
    .map { pair, count in
      "\(files[pair.lowerBound]) and \(files[pair.upperBound]) have "
        + "\(counted(count, "sighting")) in common, which count twice: leave one out"
    }
  }

  /// The number and the share of common sightings above which there is a warning, as in
  /// `RepeatedSightings`.
  private static let (fewestCommon, notable) = (5, 0.1)

  /// Returns the selection from each input, whose offsets count from the first sighting of all.
  private func selections(_ selection: SightingSelection) throws -> [PartSelection?] {
    guard !selection.isEverything else { return readers.map { _ in nil } }
    var first = Int64.max
    for reader in readers {
      try reader.forEachBlock([.time]) { first = min(first, $0.time.min() ?? first) }
    }
    var times = selection
    let span = selection.span(from: first)
    if selection.from != nil { times.from = .instant(span.lowerBound) }
    if selection.to != nil { times.to = .instant(span.upperBound) }
    let found = RowSelection(times)
    let selections = try readers.map { try PartSelection(times, of: $0, counting: found) }
    try found.requireSightings()
    return selections
  }
}
