package import Advertising
package import Registries
package import Sightings
package import Support
package import TraceStore

/// The figures of a trace that `import` and `info` report.
package final class TraceSummary: Sendable {
  private let sightings: Int
  private let figures: SightingFigures
  private let first: Int64
  private let last: Int64
  private let kinds: [UInt64]
  private let catalogue: Catalogue
  /// The number of sightings without a level, by reason, if known.
  private let missingReasons: [(reason: String, count: UInt64)]
  private let filters: [String]
  private let positions: [String]
  private let isClean: Bool
  private let isLive: Bool
  private let note: String
  private let calibration: StoredCalibration?
  private let radioMap: RadioMapSummary?
  /// The outcome of the packets that the trace was made from, if known.
  private let packets: PacketFigures?
  /// Beacons that people have a name for, by identity.
  private let names: [(id: String, name: String)]

  /// - Parameters:
  ///   - figures: those of the whole trace.
  ///   - packets: the packets that the trace was made from, if known.
  package init(
    _ reader: TraceReader, _ figures: SightingFigures, _ registry: Registry = Registry(),
    packets: PacketFigures? = nil
  ) throws {
    self.packets = packets
    self.figures = figures
    sightings = reader.count
    first = reader.stored(figures.first)
    last = reader.stored(figures.last)
    catalogue = reader.catalogue
    missingReasons = reader.missingLevels
    let known = BeaconNames(registry, catalogue.beacons)
    names = catalogue.beacons.compactMap { beacon in known[beacon.id].map { (beacon.id, $0) } }
    kinds = figures.kinds(of: catalogue.beacons)
    filters = reader.filterNames()
    positions = reader.positionNames()
    isClean = reader.isClean
    isLive = reader.isLive
    note = reader.note
    calibration = try reader.calibration()
    radioMap = try reader.radioMap().map { RadioMapSummary($0) }
  }

  private static let order = SightingFigures.order

  private var missing: Int { figures.missing }
  private var lowest: Float { figures.lowest }
  private var highest: Float { figures.highest }

  private var missingWords: String {
    missingReasons.isEmpty
      ? ""
      : " (" + missingReasons.map { "\($0.count) × \($0.reason)" }.joined(separator: ", ") + ")"
  }

  private var mean: Double { figures.sum / Double(sightings - missing) }

  /// The number of losses by reason.
  private var gaps: [String: Int] {
    Dictionary(grouping: catalogue.gaps, by: \.reason.rawValue).mapValues(\.count)
  }

  /// Events known to be lost.
  private var dropped: UInt64 { catalogue.gaps.reduce(0) { $0 &+ $1.dropped } }

  private var addresses: Int { Set(catalogue.advertisers.map(\.bits)).count }

  /// The contents of one floor.
  private struct FloorContents {
    var floor: Floor
    var traces = 0
    var truth = 0
    var beacons = 0
    var receivers = 0

    var json: JSONValue {
      [
        "name": floor.name, "level": floor.level, "height_m": floor.height,
        "shift_x_m": floor.shiftX, "shift_y_m": floor.shiftY, "traces": traces, "truth": truth,
        "beacons": beacons, "receivers": receivers,
      ]
    }
  }

  private var floors: [FloorContents] {
    var floors = catalogue.floors.map { FloorContents(floor: $0) }
    for floor in catalogue.traceFloors.values { floors[Int(floor)].traces += 1 }
    for point in catalogue.truth {
      if let floor = catalogue.floor(of: point) { floors[Int(floor)].truth += 1 }
    }
    for floor in catalogue.beacons.compactMap(\.floor) { floors[Int(floor)].beacons += 1 }
    for floor in catalogue.receivers.compactMap(\.floor) { floors[Int(floor)].receivers += 1 }
    return floors
  }

  package var json: JSONValue {
    // The trace keeps what became no sighting; how many packets there were is known to its maker.
    packets.map { figuresOfTrace.adding($0.json) } ?? figuresOfTrace
  }

  private var figuresOfTrace: JSONValue {
    [
      "sightings": sightings, "beacons": catalogue.beacons.count,
      "receivers": catalogue.receivers.count, "traces": catalogue.traces.count,
      "distinct_addresses": addresses,
      "start": sightings > 0 ? Timestamp.iso8601(first) : nil,
      "end": sightings > 0 ? Timestamp.iso8601(last) : nil,
      "rssi_dbm": .object(["min": Double(lowest), "max": Double(highest), "mean": mean]),
      "rssi_missing": missing,
      "rssi_missing_reasons": Dictionary(
        uniqueKeysWithValues: missingReasons.map { ($0.reason, $0.count) }),
      "kinds": Dictionary(
        uniqueKeysWithValues: zip(Self.order, kinds).map { ($0.rawValue, Int($1)) }),
      "rejected": Dictionary(
        uniqueKeysWithValues: catalogue.refusals.map { ($0.reason, $0.count) }),
      "other_events": Dictionary(
        uniqueKeysWithValues: catalogue.otherEvents.map { ($0.kind, $0.count) }),
      "joined_fragments": catalogue.joinedFragments, "pointers": catalogue.pointers,
      "floors": floors.map(\.json),
      "names": Dictionary(
        names.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first }),
      "filters": filters, "positions": positions,
      "calibration": calibration.map { stored -> JSONValue in
        [
          "model": stored.model, "estimator": stored.estimator,
          "by": stored.by, "groups": stored.groups.count,
        ]
      }, "radio_map": radioMap?.json, "clean": isClean, "live": isLive, "note": note,
      "gaps": gaps, "dropped": dropped,
    ]
  }

  /// - Parameter path: the trace.
  package func text(of path: String) -> TextReport {
    var report = TextReport()
    report.add(
      heading:
        path
        + (isLive
          ? " (being written)"
          : isClean ? "" : " (not closed by its writer: rssi repair closes it)"))
    var lines: [String] = []
    func line(_ label: String, _ value: String) {
      lines.append(label + String(repeating: " ", count: 14 - label.count) + value.printable)
    }
    line(
      "sightings", "\(sightings)" + (missing > 0 ? ", \(missing) without RSSI\(missingWords)" : ""))
    line(
      "beacons",
      "\(catalogue.beacons.count), \(catalogue.beacons.filter(\.isAnchor).count) at known places")
    if !names.isEmpty {
      line("known", listed(names.map(\.name), 6))
    }
    line("receivers", listed(catalogue.receivers.map(\.id), 4))
    line("traces", listed(catalogue.traces, 4))
    if addresses > 0 { line("addresses", "\(addresses)") }
    if catalogue.untimedSightings > 0 {
      line("time", "unknown (\(catalogue.untimedSightings) sightings of a table without times)")
    } else if sightings > 0 {
      line("time", "\(Timestamp.iso8601(first)) to \(Timestamp.iso8601(last))")
    }
    if sightings > missing {
      line(
        "RSSI",
        "\(decimal(Double(lowest), 0)) to \(decimal(Double(highest), 0)) dBm, mean "
          + "\(decimal(mean, 2)) dBm"
      )
    }
    let named = zip(Self.order, kinds).filter { $0.1 > 0 }.map { "\($0.0.rawValue) \($0.1)" }
    if !named.isEmpty { line("kinds", named.joined(separator: ", ")) }
    let truth = [(catalogue.truth.count, "positions"), (catalogue.levels.count, "levels of links")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if !truth.isEmpty { line("truth", truth.joined(separator: ", ")) }
    for (row, contents) in floors.enumerated() {
      let counts = [
        (contents.traces, "trace"), (contents.truth, "true position"),
        (contents.beacons, "beacon"), (contents.receivers, "receiver"),
      ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
      let level = contents.floor.level.map { " (level \($0))" } ?? ""
      line(
        row == 0 ? "floors" : "",
        contents.floor.name + level
          + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")))
    }
    if !catalogue.stays.isEmpty {
      line("distances", "\(catalogue.stays.count) stays at a known distance")
    }
    if !catalogue.rooms.isEmpty {
      line("rooms", listed(Set(catalogue.rooms.map(\.room)).subtracting([""]).sorted(), 6))
    }
    if !filters.isEmpty { line("filtered by", filters.joined(separator: ", ")) }
    if !positions.isEmpty { line("positions by", positions.joined(separator: ", ")) }
    if let calibration {
      let groups =
        calibration.by == "pooled"
        ? "pooled" : "groups by \(calibration.by): \(calibration.groups.count)"
      line("calibration", "\(calibration.model), \(calibration.estimator), \(groups)")
    }
    if let radioMap {
      line("radio map", radioMap.extent)
      for text in radioMap.lines { line("", text) }
    }
    if !gaps.isEmpty {
      line(
        "gaps",
        gaps.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
          + (dropped > 0 ? "; \(dropped) events lost" : ""))
    }
    if !note.isEmpty { line("note", note) }
    for (label, value) in packets?.lines ?? [] { line(label, value) }
    for (kind, count) in catalogue.otherEvents { line("other", "\(count) × \(kind)") }
    for entry in catalogue.refusals { line("refused", "\(entry.count) × \(entry.reason)") }
    report.add(lines.map { $0 + "\n" }.joined())
    return report
  }
}
