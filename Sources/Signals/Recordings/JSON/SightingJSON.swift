internal import Advertising
package import Sightings
package import Support

/// A reader of sightings as objects of JSON: one per line, one after another, in arrays, or in the
/// one array of objects with levels within another object.
///
/// Objects with the keys of ``SightingStream`` are read as there. Those of other programs are rows
/// of a table whose columns are the keys, so that maps, units, inference and checks are the same.
/// Constant memory.
package enum SightingJSON {
  /// Reads a whole file into a trace builder.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for lines on the standard input, of which nothing is inferred.
  ///   - map: The keys of the columns, as a user named them.
  ///   - progress: A closure that receives the number of bytes read.
  ///   - note: A closure that receives a sentence for users, such as what was inferred.
  /// - Throws: `RSSIError` for a file whose brackets do not match or that has no sighting, and what
  ///   the builder throws.
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, _ map: ColumnMap = ColumnMap(), progress: any ActivityProgress = SilentLog(),
    note: (String) -> Void = { _ in }, into builder: inout TraceBuilder<Sink>
  ) throws {
    if let error = KnownFile.misplaced(path, for: "sightings", of: [.sightings]) { throw error }
    let trace = path == "-" ? "stdin" : fileStem(path)
    let sample =
      path == "-" && map.entries.isEmpty ? nil : try JSONSample(path: path, map)
    guard let sample, !sample.isStream || !map.entries.isEmpty else {
      var stream = try SightingStream(path: path, trace: trace, progress: progress)
      while try stream.next(into: &builder) {}
      return
    }
    if let name = sample.arrayName { note("\(path): its objects are those of \"\(name)\"") }
    let isOwn = sample.isOwn && map.entries.isEmpty
    var reader =
      isOwn
      ? ObjectReader(path, trace) : try ObjectReader(path, trace, sample.table(of: path), map, note)
    guard case .objects(let keys) = sample.form else {
      var lines = try Lines(path: path, progress: progress)
      return try reader.read(&lines, note: note, into: &builder)
    }
    var objects = try JSONObjects(path: path, within: keys, progress: progress)
    try reader.read(&objects, note: note, into: &builder)
    if let cut = objects.cut { note("warning: \(path) ends \(cut): is it whole?") }
  }
}

/// A reader of objects as sightings, with the keys of this package or those of a table.
private struct ObjectReader {
  private let path: String
  private let trace: String
  /// The columns and their keys; nil for the keys of this package.
  private let table: (columns: SightingTableColumns, names: [String])?
  private let document = JSONDocument(maximumDepth: .max)
  private var objects = 0
  /// The first rejected object: its number, its line, its problem and what is wrong in it.
  private var firstRefused: (object: Int, line: Int, problem: RowProblem, words: String)?

  init(_ path: String, _ trace: String) { (self.path, self.trace, table) = (path, trace, nil) }

  init(
    _ path: String, _ trace: String, _ sample: TableSample, _ map: ColumnMap,
    _ note: (String) -> Void
  ) throws(RSSIError) {
    (self.path, self.trace) = (path, trace)
    table = (try SightingTableColumns(sample, path, map, note: note), sample.header ?? [])
  }

  mutating func read<Source: ObjectSource & ~Copyable, Sink: SightingSink & ~Copyable>(
    _ source: inout Source, note: (String) -> Void, into builder: inout TraceBuilder<Sink>
  ) throws {
    var counts = DecodingCounts()
    var times = TableTimes()
    if let table {
      try readRows(&source, table.columns, &counts, &times, note: note, into: &builder)
    } else {
      try readOwn(&source, &counts, &times, into: &builder)
    }
    guard counts.sightings > 0 else {
      throw RSSIError.badTable(
        path: path == "-" ? "the standard input" : path,
        problem: (objects == 1 ? "its only object cannot" : "none of its \(objects) objects can")
          + " be read\(place)",
        advice: advice)
    }
    if table?.columns.hasTimes != false { try times.require(path) }
    builder.account(for: counts)
  }

  /// Reads objects with the keys of this package.
  private mutating func readOwn<Source: ObjectSource & ~Copyable, Sink: SightingSink & ~Copyable>(
    _ source: inout Source, _ counts: inout DecodingCounts, _ times: inout TableTimes,
    into builder: inout TraceBuilder<Sink>
  ) throws {
    let (document, trace) = (document, trace)
    while true {
      let problem = try source.next { bytes -> RowProblem? in
        guard let bytes else { return .lineTooLong }
        if bytes.isEmpty { return .blank }
        guard document.parse(bytes), document.root.kind == .object else { return .badJSON }
        return try SightingStream.take(document, trace, &builder, &times)
      }
      guard let problem else { return }
      if let problem, problem != .blank {
        note(problem, line: source.number)
        counts.rejectedReports += 1
        builder.reject(problem.rawValue)
      } else if problem == nil {
        objects += 1
        counts.sightings += 1
      }
    }
  }

  /// The number of objects whose rows are joined at a time.
  private static let block = 4096

  /// Reads objects as rows of a table.
  private mutating func readRows<Source: ObjectSource & ~Copyable, Sink: SightingSink & ~Copyable>(
    _ source: inout Source, _ columns: SightingTableColumns, _ counts: inout DecodingCounts,
    _ times: inout TableTimes, note: (String) -> Void, into builder: inout TraceBuilder<Sink>
  ) throws {
    let document = document
    let keys = ObjectKeys(table?.names ?? [], columns.indices)
    let fileTrace = columns.trace == nil ? try builder.trace(named: trace) : nil
    var row = TableRow(columns.layout)
    var rows = SightingRows(columns)
    var clocks = TableClocks()
    var clock = RowClock()
    var later = LaterKeys(known: table?.names ?? [])
    func join() throws {
      times.merge(rows.times)
      try rows.take(into: &builder, fileTrace: fileTrace, &counts, &clocks, &clock)
    }
    while true {
      let problem = try source.next { bytes -> RowProblem? in
        guard let bytes else { return .lineTooLong }
        if bytes.isEmpty { return .blank }
        guard document.parse(bytes), document.root.kind == .object else { return .badJSON }
        row.take(keys, of: document)
        later.note(document)
        return nil
      }
      guard let problem else { break }
      rows.add(row, problem)
      if problem == .blank { continue }
      if firstRefused == nil, let found = rows.firstRefused?.problem {
        self.note(found, line: source.number)
      } else {
        objects += 1
      }
      if rows.lineCount >= Self.block { try join() }
    }
    try join()
    if let sentence = later.sentence { note("\(path): \(sentence)") }
    for sentence in clocks.finish(into: &builder) { note("warning: \(path): \(sentence)") }
  }

  /// Counts a rejected object, and keeps the first.
  private mutating func note(_ problem: RowProblem, line: Int) {
    objects += 1
    guard firstRefused == nil else { return }
    let isRead = problem != .badJSON && problem != .lineTooLong
    firstRefused = (objects, line, problem, isRead ? words(problem) : "")
  }

  // MARK: - Refusals

  /// The columns and their keys.
  private var keys: [(column: String, key: String?, index: Int)] {
    guard let table else { return SightingTableColumns.names.map { ($0, $0, 0) } }
    return table.columns.places.map { column, index in
      (column, index < table.names.count ? table.names[index] : nil, index)
    }
  }

  /// Names the key with a problem, and its value, in the current object.
  private func words(_ problem: RowProblem) -> String {
    for column in problem.columns {
      guard let key = keys.first(where: { $0.column == column })?.key else { continue }
      let value = ObjectKeys.value(of: key, in: document)
      switch problem {
      case .missingName where value?.isEmpty == false: continue
      case .badName where TextLimit.name.admits(Array((value ?? "").utf8).span): continue
      case .badChannel where value == nil: continue
      default:
        return value.map { ", \"\(key)\" is \"\($0.prefix(40))\"" } ?? ", \"\(key)\" is missing"
      }
    }
    return ""
  }

  private var place: String {
    firstRefused.map {
      " (object \($0.object), line \($0.line): \($0.problem.rawValue)\($0.words))"
    } ?? ""
  }

  /// The map in which only the column of the first problem is open, or has the likely unit.
  private var advice: String? {
    guard let (_, _, problem, words) = firstRefused, let open = problem.columns.first else {
      return nil
    }
    let unit = problem == .timeNotInSeconds ? Self.unit(of: words) : nil
    let entries = keys.compactMap { column, key, index -> String? in
      if column == open {
        return unit.flatMap { unit in
          key.map { "\(ColumnMap.Entry(column, .header($0), unit: unit))" }
        } ?? "\(column)=…"
      }
      let isRequired = SightingTableColumns.required.contains(column)
      guard let layout = table?.columns.layout else {
        return isRequired ? "\(column)=\(column)" : nil
      }
      if !isRequired, column == key, layout.unit(index) == nil { return nil }
      let origin =
        key.map { ColumnMap.Origin.header($0) }
        ?? .constant(String(decoding: layout.constants[index - layout.width], as: UTF8.self))
      return "\(ColumnMap.Entry(column, origin, unit: layout.unit(index)))"
    }
    return "give `columns` \(entries.joined(separator: ","))"
      + (unit == nil ? ", with a key and a unit for …" : "")
  }

  /// The likely unit of a time at the end of words, by its digits.
  private static func unit(of words: String) -> ColumnUnit {
    let digits = words.split(separator: "\"").last?.prefix { $0 != "." }.count ?? 0
    return .seconds(power: digits <= 14 ? -3 : digits <= 17 ? -6 : -9)
  }
}

extension RowProblem {
  /// The columns of which one has the problem.
  fileprivate var columns: [String] {
    switch self {
    case .badTime, .timeNotInSeconds: ["time_s"]
    case .badRSSI: ["rssi_dbm"]
    case .badChannel: ["channel", "frequency_mhz"]
    case .badDistance: ["distance_m"]
    case .badPosition: ["x_m", "y_m", "z_m"]
    case .badAngle: ["azimuth_deg", "elevation_deg"]
    case .missingName, .badName: ["beacon", "receiver", "trace", "pose"]
    case .blank, .lineTooLong, .badQuotes, .badJSON, .wrongFieldCount: []
    }
  }
}

extension SightingTableColumns {
  /// The names of the columns that a sighting has at least.
  fileprivate static let required = ["time_s", "receiver", "beacon", "rssi_dbm"]
  fileprivate static let names =
    required + [
      "trace", "channel", "frequency_mhz", "distance_m", "pose", "azimuth_deg", "elevation_deg",
      "x_m", "y_m", "z_m",
    ]

  fileprivate var hasTimes: Bool { time != nil }

  /// The places of all columns that are read.
  fileprivate var indices: [Int] {
    places.map(\.index) + levels
      + (identity.map { [$0.uuid, $0.major, $0.minor] } ?? [])
  }

  /// The columns that were found, with their places.
  fileprivate var places: [(column: String, index: Int)] {
    let all =
      [
        time, receiver, beacon, rssi, trace, channel, frequency, distance, pose, azimuth, elevation,
      ]
      + [place?.x, place?.y, place?.z]
    return zip(Self.names, all).compactMap { name, index in index.map { (name, $0) } }
  }
}
