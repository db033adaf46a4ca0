internal import Advertising
package import Sightings
package import Support

/// A reader of NDJSON with one sighting per line, as stages pass it to each other.
///
///     {"time_s":1700000000.123456,"beacon":"…","receiver":"…","rssi_dbm":-63,"channel":37}
///
/// Optional keys: `frequency_mhz` instead of `channel`, `trace`, `distance_m`, `pose`, `x_m`,
/// `y_m`, `z_m` (the place of the receiver), `azimuth_deg`, `elevation_deg`, `variance_db2`; other keys are ignored. An unreadable
/// line is rejected and counted by reason. Constant memory.
package struct SightingStream: ~Copyable {
  private var lines: Lines
  /// The current line, of any depth, whose memory is reused.
  private let line = JSONDocument(maximumDepth: .max)
  private let path: String
  private let fallbackTrace: String
  private var taken = 0
  private var refused = 0
  private var firstProblem = ""
  private var advice: String?
  private var times = TableTimes()
  /// A Boolean value that is true if a level so far was filtered, so that its line has
  /// `variance_db2`.
  package private(set) var hasFilteredLevels = false

  /// - Parameters:
  ///   - path: A file, or `-` for the standard input.
  ///   - trace: The trace of lines that name none.
  ///   - progress: A closure that receives the number of bytes read.
  package init(
    path: String, trace: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    lines = try Lines(path: path, progress: progress)
    self.path = path
    fallbackTrace = trace
  }

  /// A Boolean value that is true if the next line is available without waiting.
  package var hasLine: Bool { lines.hasLine }

  /// Waits for more data; returns `true` if none arrived within a time in nanoseconds.
  package func isQuiet(forNanoseconds time: Int64) -> Bool { lines.isQuiet(forNanoseconds: time) }

  /// Passes the next line to a trace builder, which may reject it; returns `false` at the end.
  ///
  /// - Throws: `RSSIError` at the end of a stream that had lines but no sighting.
  package mutating func next<Sink: SightingSink & ~Copyable>(
    into builder: inout TraceBuilder<Sink>
  ) throws -> Bool {
    while true {
      let line = line
      let fallbackTrace = fallbackTrace
      let path = path
      let isFirst = lines.number == 0
      var times = times
      let problem = try lines.next { bytes -> RowProblem? in
        guard let bytes else { return .lineTooLong }
        if bytes.isEmpty { return .blank }
        guard line.parse(bytes), line.root.kind == .object else {
          if isFirst, bytes.looksLikeTableHeader { throw RSSIError.tableInStream(path) }
          if isFirst, path == "-", bytes[0] == UInt8(ascii: "[") { throw RSSIError.arrayInStream }
          return .badJSON
        }
        return try Self.take(line, fallbackTrace, &builder, &times)
      }
      self.times = times
      guard let problem else {
        if taken == 0 {
          if let error = KnownFile.misplaced(path, for: "sightings", of: [.sightings]) {
            throw error
          }
          throw refused == 0
            ? RSSIError.empty(path: path == "-" ? "the standard input" : path)
            : RSSIError.badTable(
              path: path, problem: "none of its \(refused) lines is a sighting (\(firstProblem))",
              advice: advice)
        }
        try times.require(path == "-" ? "the standard input" : path)
        // A line is a separate report, without a packet.
        var counts = DecodingCounts()
        (counts.sightings, counts.rejectedReports) = (taken, refused)
        builder.account(for: counts)
        return false
      }
      guard let reason = problem else {
        taken += 1
        if !hasFilteredLevels, line.root["variance_db2"]?.kind == .number {
          hasFilteredLevels = true
        }
        return true
      }
      if reason == .blank { continue }
      builder.reject(reason.rawValue)
      if refused == 0 {
        (firstProblem, advice) = ("line \(lines.number): \(reason.rawValue)", reason.advice)
      }
      refused += 1
      // A caller that waits for lines must see that there is none.
      return true
    }
  }
}

extension RSSIError {
  fileprivate static func tableInStream(_ path: String) -> RSSIError {
    path == "-"
      ? .badTable(
        path: "the standard input",
        problem: "this is a CSV table, but - reads NDJSON: write it to a .csv file and name that")
      : .badTable(
        path: path, problem: "this is a CSV table, not NDJSON: give it a name that ends in .csv")
  }

  fileprivate static var arrayInStream: RSSIError {
    .badTable(
      path: "the standard input", problem: "this is an array, but - reads one object per line",
      advice: "write it to a file and name that")
  }
}

extension Span<UInt8> {
  /// A Boolean value that is true if these bytes are a header with `time_s`, rather than an object.
  fileprivate var looksLikeTableHeader: Bool {
    let text = String(decoding: indices.map { self[$0] }, as: UTF8.self)
    return text.contains(",") && !text.contains("{")
      && text.split(separator: ",").contains { $0.filter { $0 != "\"" } == "time_s" }
  }
}

extension SightingStream {
  /// Passes the sighting of a line to a trace builder, or returns the problem of an invalid one.
  static func take<Sink: SightingSink & ~Copyable>(
    _ document: JSONDocument, _ fallbackTrace: String, _ builder: inout TraceBuilder<Sink>,
    _ times: inout TableTimes
  ) throws -> RowProblem? {
    let text = document.bytes
    let bytes = text.span
    let line = document.root
    var malformed = false
    guard let timeRange = line.number("time_s", malformed: &malformed) else { return .badTime }
    guard let time = DecimalNumber.nanoseconds(bytes.extracting(timeRange)) else {
      return TableTimes.problem(DecimalNumber.double(bytes.extracting(timeRange)))
    }
    var rssi = Float.nan
    if let range = line.number("rssi_dbm", malformed: &malformed) {
      guard let value = DecimalNumber.double(bytes.extracting(range)) else { return .badRSSI }
      rssi = Float(value)
    }
    guard let beacon = line.string("beacon", malformed: &malformed), !beacon.isEmpty,
      let receiver = line.string("receiver", malformed: &malformed), !receiver.isEmpty
    else { return .missingName }
    var channel: UInt8 = 255
    if let range = line.number("channel", malformed: &malformed) {
      let value = DecimalNumber.double(bytes.extracting(range)).flatMap(UInt8.init(exactly:))
      guard let value else { return .badChannel }
      channel = value
    } else if let range = line.number("frequency_mhz", malformed: &malformed) {
      let value = DecimalNumber.double(bytes.extracting(range))
      guard let value = value.flatMap(RadioChannel.index(megahertz:)) else { return .badChannel }
      channel = value
    }
    var degrees = [Float.nan, .nan]
    for (index, key) in (["azimuth_deg", "elevation_deg"] as [StaticString]).enumerated() {
      guard let range = line.number(key, malformed: &malformed) else { continue }
      guard let value = DecimalNumber.double(bytes.extracting(range)) else { return .badAngle }
      degrees[index] = Float(value)
    }
    guard let angle = Angle.possible(azimuthDeg: degrees[0], elevationDeg: degrees[1]) else {
      return .badAngle
    }
    var distance: Double?
    // Distances with an interval are estimates that `rssi export` made from the levels.
    let isEstimated = line.has("distance_low_m")
    if let range = line.number(
      isEstimated ? "true_distance_m" : "distance_m", malformed: &malformed)
    {
      guard let value = DecimalNumber.double(bytes.extracting(range)),
        DistanceStay.distances.contains(value)
      else {
        return .badDistance
      }
      distance = value
    }
    let pose = line.string("pose", malformed: &malformed)
    guard let x = coordinate(line, bytes, "x_m", &malformed),
      let y = coordinate(line, bytes, "y_m", &malformed),
      let z = coordinate(line, bytes, "z_m", &malformed)
    else { return .badPosition }
    let trace = line.string("trace", malformed: &malformed)
    guard !malformed else { return .badJSON }
    guard x.isNaN == y.isNaN, z.isNaN || !x.isNaN else { return .badPosition }
    guard trace.map(\.isEmpty) != true else { return .missingName }
    guard
      [beacon, receiver, trace ?? 0..<0].allSatisfy({
        TextLimit.name.admits(bytes.extracting($0))
      }), TextLimit.pose.admits(bytes.extracting(pose ?? 0..<0))
    else { return .badName }
    let traceNumber =
      try trace.map { range throws(RSSIError) in try builder.trace(bytes.extracting(range)) }
      ?? builder.trace(named: fallbackTrace)
    guard builder.takes(time, ofTrace: traceNumber) else { return nil }
    var sighting = Sighting(
      time: time, beacon: builder.beacon(bytes.extracting(beacon)),
      receiver: try builder.receiver(bytes.extracting(receiver)), trace: traceNumber, rssi: rssi)
    sighting.channel = channel
    sighting.angle = angle
    if let distance {
      // Stays have few poses, but every line names its own.
      let name =
        pose.map { range in String(decoding: range.map { bytes[$0] }, as: UTF8.self) } ?? ""
      sighting.stay = builder.stay(of: sighting, distance: distance, pose: name)
    }
    if x.isFinite { place(sighting, x, y, z, &builder) }
    try builder.append(sighting)
    times.add(time)
    return nil
  }

  /// Returns a coordinate, NaN if there is none, or `nil` if it is invalid.
  private static func coordinate(
    _ line: JSONElement, _ bytes: Span<UInt8>, _ key: StaticString, _ malformed: inout Bool
  ) -> Double? {
    guard let range = line.number(key, malformed: &malformed) else { return .nan }
    return DecimalNumber.double(bytes.extracting(range))
      .flatMap { Node.coordinates.contains($0) ? $0 : nil }
  }

  /// Adds a reference position of the receiver.
  private static func place<Sink: SightingSink & ~Copyable>(
    _ sighting: Sighting, _ x: Double, _ y: Double, _ z: Double, _ builder: inout TraceBuilder<Sink>
  ) {
    builder.append(
      TruthPoint(
        time: sighting.time, role: .receiver, node: UInt32(sighting.receiver),
        trace: sighting.trace, x: x, y: y, z: z))
  }
}

extension JSONElement {
  /// Returns the range of a number, or `nil` if there is none; a value of another type is
  /// `malformed`.
  fileprivate func number(_ key: StaticString, malformed: inout Bool) -> Range<Int>? {
    place(of: key, .number, malformed: &malformed)
  }

  /// Returns the range of a string, or `nil` if there is none; a value of another type is
  /// `malformed`.
  fileprivate func string(_ key: StaticString, malformed: inout Bool) -> Range<Int>? {
    place(of: key, .string, malformed: &malformed)
  }
}
