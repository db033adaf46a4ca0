internal import Advertising
internal import Sightings
internal import Support

extension SightingStream {
  /// Hands the sighting of a line to an intake; a problem where it is none.
  static func take<Sink: SightingSink & ~Copyable>(
    _ document: JSONDocument, _ fallbackTrace: String, _ intake: inout Intake<Sink>,
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
    var distance: Double?
    // Distances with an interval are estimates that `rssi export` made of the levels.
    let isEstimated = line.has("distance_low_m")
    if let range = line.number(
      isEstimated ? "true_distance_m" : "distance_m", malformed: &malformed)
    {
      guard let value = DecimalNumber.double(bytes.extracting(range)),
        Dwell.distances.contains(value)
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
      try trace.map { range throws(RSSIError) in try intake.trace(bytes.extracting(range)) }
      ?? intake.trace(named: fallbackTrace)
    guard intake.takes(time, ofTrace: traceNumber) else { return nil }
    var sighting = Sighting(
      time: time, beacon: intake.beacon(bytes.extracting(beacon)),
      receiver: try intake.receiver(bytes.extracting(receiver)), trace: traceNumber, rssi: rssi)
    sighting.channel = channel
    if let distance {
      // Stays have few poses, but every line names its own.
      let name =
        pose.map { range in String(decoding: range.map { bytes[$0] }, as: UTF8.self) } ?? ""
      sighting.dwell = intake.dwell(of: sighting, distance: distance, pose: name)
    }
    if x.isFinite { place(sighting, x, y, z, &intake) }
    try intake.append(sighting)
    times.add(time)
    return nil
  }

  /// A coordinate, NaN where there is none; nil where it is not one that is read.
  private static func coordinate(
    _ line: JSONElement, _ bytes: Span<UInt8>, _ key: StaticString, _ malformed: inout Bool
  ) -> Double? {
    guard let range = line.number(key, malformed: &malformed) else { return .nan }
    return DecimalNumber.double(bytes.extracting(range))
      .flatMap { Node.coordinates.contains($0) ? $0 : nil }
  }

  /// Adds a reference position of the receiver.
  private static func place<Sink: SightingSink & ~Copyable>(
    _ sighting: Sighting, _ x: Double, _ y: Double, _ z: Double, _ intake: inout Intake<Sink>
  ) {
    intake.append(
      TruthPoint(
        time: sighting.time, role: .receiver, node: UInt32(sighting.receiver),
        trace: sighting.trace, x: x, y: y, z: z))
  }
}

extension JSONElement {
  /// Where a number is, nil where there is none; a value of another type is `malformed`.
  fileprivate func number(_ key: StaticString, malformed: inout Bool) -> Range<Int>? {
    place(of: key, .number, malformed: &malformed)
  }

  /// Where a string is, nil where there is none; a value of another type is `malformed`.
  fileprivate func string(_ key: StaticString, malformed: inout Bool) -> Range<Int>? {
    place(of: key, .string, malformed: &malformed)
  }
}
