internal import CHDF5
internal import Sightings
import Support

/// The tables `/radio_map` of a radio map, with the learned parameters as attributes.
struct RadioMapTables {
  private let group: Handle
  private let anchors: RowTable<StoredRadioMap.Anchor>
  private let places: RowTable<StoredRadioMap.Place>
  private let levels: RowTable<StoredRadioMap.Level>
  private let sources: RowTable<StoredRadioMap.Source>
  private let readings: RowTable<StoredReading>
  private let path: String

  /// Returns a Boolean value that is true if a file has them; another program's group of that name
  /// does not count.
  static func isThere(in file: TraceFile) -> Bool {
    groupNames("radio_map", in: file.handle).contains("levels")
  }

  init(in file: TraceFile) throws(RSSIError) {
    path = file.path
    group = try Table("radio_map", in: file).group
    anchors = try RowTable(.anchors, in: file)
    places = try RowTable(.places, in: file)
    levels = try RowTable(.levels, in: file)
    sources = try RowTable(.sources, in: file)
    readings = try RowTable(.readings, in: file)
  }

  func write(_ map: StoredRadioMap) throws(RSSIError) {
    try group.setAttribute(
      "format_version", map.isOfBuilding ? Self.version : Self.versionOfPlane, in: path)
    try group.setAttribute(
      "located", map.role == .receiver ? "receivers" : "beacons", in: path)
    try group.setAttribute("dimensions", UInt8(map.isSpace ? 3 : 2), in: path)
    try group.setAttribute("height_m", map.height, in: path)
    if let name = map.group { try group.setAttribute("group", name, in: path) }
    for (name, value) in map.settings.sorted(by: { $0.key < $1.key }) {
      try group.setAttribute(name, value, in: path)
    }
    try group.setAttribute("kernel", map.variation.kernel, in: path)
    for (name, place) in Self.variation {
      try group.setAttribute(name, map.variation[keyPath: place], in: path)
    }
    for (name, place) in Self.exponents where map.isOfBuilding {
      try group.setAttribute(name, map.exponents[keyPath: place], in: path)
    }
    try group.setAttribute("common_variance_db2", map.commonVariance, in: path)
    try group.setAttribute("dispersion", map.dispersion, in: path)
    try anchors.append(map.anchors)
    try places.append(map.places)
    try levels.append(map.levels)
    guard map.sources.count <= Int(UInt16.max) else {
      throw RSSIError(
        .badInput, "cannot write \(path): the survey has more than 65,535 traces; use fewer")
    }
    try sources.append(map.sources)
    try readings.append(
      map.sources.enumerated().flatMap { number, source in
        source.times.indices.map {
          StoredReading(
            source: UInt16(number), time: source.times[$0], level: source.levels[$0],
            link: source.links[$0])
        }
      })
  }

  /// - Throws: `.badInput` if they are damaged; references between rows are not yet checked.
  func read() throws(RSSIError) -> StoredRadioMap {
    let version = group.attribute("format_version", as: UInt16.self) ?? 0
    guard (1...Self.version).contains(version) else {
      throw RSSIError(
        .badInput, "radio map of format \(version): this rssi reads formats 1 to \(Self.version)",
        in: path, advice: "update rssi")
    }
    let located = group.textAttribute("located") ?? ""
    guard ["receivers", "beacons"].contains(located) else {
      throw RSSIError(
        .badInput, "/radio_map has no valid attribute \"located\": it is damaged", in: path)
    }
    var map = StoredRadioMap(role: located == "receivers" ? .receiver : .beacon)
    map.isOfBuilding = version == Self.version
    map.isSpace = group.attribute("dimensions", as: UInt8.self) == 3
    map.height = group.attribute("height_m", as: Double.self) ?? .nan
    map.group = group.textAttribute("group")
    for name in StoredRadioMap.settingNames {
      if let value = group.textAttribute(name) { map.settings[name] = value }
    }
    // Maps of format 1 have this kernel and no stretches.
    if let kernel = group.textAttribute("kernel") { map.variation.kernel = kernel }
    for (name, place) in Self.variation {
      map.variation[keyPath: place] = group.attribute(name, as: Double.self) ?? .nan
    }
    for (name, place) in Self.exponents {
      map.exponents[keyPath: place] = group.attribute(name, as: Double.self) ?? .nan
    }
    map.commonVariance = group.attribute("common_variance_db2", as: Double.self) ?? .nan
    map.dispersion = group.attribute("dispersion", as: Double.self) ?? .nan
    map.anchors = try anchors.read()
    map.places = try places.read()
    map.levels = try levels.read()
    map.sources = try sources.read()
    for (row, reading) in try readings.read().enumerated() {
      guard reading.source < map.sources.count else {
        throw RSSIError(
          .badInput,
          "row \(row) of /radio_map/readings refers to source \(reading.source), which does not "
            + "exist: the file is damaged", in: path)
      }
      map.sources[Int(reading.source)].times.append(reading.time)
      map.sources[Int(reading.source)].levels.append(reading.level)
      map.sources[Int(reading.source)].links.append(reading.link)
    }
    return map
  }

  /// The format, and that of a map of one plane, which earlier programs read.
  private static let (version, versionOfPlane): (UInt16, UInt16) = (3, 2)

  private static var exponents: [(String, WritableKeyPath<StoredRadioMap.Exponents, Double>)] {
    [
      ("reception_exponent", \.reception), ("levels_exponent", \.levels),
      ("window_claims_exponent", \.window), ("filter_claims_exponent", \.filter),
      ("smoother_claims_exponent", \.smoother),
    ]
  }

  private static var variation: [(String, WritableKeyPath<StoredRadioMap.Variation, Double>)] {
    [
      ("spread_db", \.spread), ("length_m", \.length), ("anchor_offset_db", \.anchorOffset),
      ("recording_offset_db", \.recordingOffset), ("place_noise_db", \.placeNoise),
      ("packet_noise_db", \.packetNoise), ("near_noise_db", \.nearNoise),
      ("near_length_m", \.nearLength),
    ]
  }
}

extension Schema<StoredRadioMap.Anchor> {
  fileprivate static var anchors: Schema {
    Schema(
      "radio_map/anchors", empty: StoredRadioMap.Anchor(node: 0),
      [
        .number(\.node, "node", "Row of /beacons or /receivers, see the attribute located"),
        .number(\.measuredPower, "measured_power_dbm", units: "dBm", missing: .nan, "RSSI at 1 m"),
        .number(\.exponent, "exponent", units: "1", missing: .nan, "Path-loss exponent"),
        .number(\.sigma, "sigma_db", units: "dB", missing: .nan, "Of one packet about the curve"),
        .number(
          \.packetSigma, "packet_sd_db", units: "dB", missing: .nan,
          "Of what successive packets do not share; NaN = not known"),
        .number(
          \.heightDifference, "height_difference_m", units: "m", missing: .nan,
          "Above the moving nodes"),
        .number(
          \.rate, "reception_rate_hz", units: "1/s", missing: .nan,
          "Sightings per second where it is received well; NaN = not known"),
        .number(
          \.sensitivity, "sensitivity_dbm", units: "dBm", missing: .nan,
          "Level below which packets are lost; NaN = not known"),
      ])
  }
}

extension Schema<StoredRadioMap.Place> {
  fileprivate static var places: Schema {
    Schema(
      "radio_map/places", empty: StoredRadioMap.Place(x: .nan, y: .nan, recording: 0),
      [
        .number(\.recording, "recording", "Stretch of a recording without a pause"),
        .number(\.x, "x_m", units: "m", missing: .nan, "Surveyed place"),
        .number(\.y, "y_m", units: "m", missing: .nan, "Surveyed place"),
        .number(\.height, "z_m", units: "m", missing: .nan, "Its height; NaN = not known"),
        .number(
          \.middleX, "middle_x_m", units: "m", missing: .nan, isLater: true,
          "Middle of the stretch over which levels were averaged; NaN = at rest"),
        .number(
          \.middleY, "middle_y_m", units: "m", missing: .nan, isLater: true,
          "Middle of the stretch over which levels were averaged; NaN = at rest"),
        .number(
          \.reachX, "reach_x_m", units: "m", missing: .nan, isLater: true,
          "From the middle of the stretch to its end; NaN = at rest"),
        .number(
          \.reachY, "reach_y_m", units: "m", missing: .nan, isLater: true,
          "From the middle of the stretch to its end; NaN = at rest"),
        .floor(\.floor),
        .occasional(
          \.seconds, "duration_s", missing: Double.nan, "Time spent there; NaN = not known",
          code: { $0 }, value: { $0 }),
      ])
  }
}

extension Schema<StoredRadioMap.Level> {
  fileprivate static var levels: Schema {
    Schema(
      "radio_map/levels", empty: StoredRadioMap.Level(place: 0, anchor: 0, rssi: 0, packets: 0),
      [
        .number(\.place, "place", "Row of /radio_map/places"),
        .number(\.anchor, "anchor", "Row of /radio_map/anchors"),
        .number(\.rssi, "rssi_dbm", units: "dBm", "Mean level of the anchor at the place"),
        .number(\.packets, "packets", "Packets behind it"),
      ])
  }
}

extension Schema<StoredRadioMap.Source> {
  /// The schema of the recordings that the map was learned from; their readings are in
  /// `/radio_map/readings`.
  fileprivate static var sources: Schema {
    Schema(
      "radio_map/sources",
      empty: StoredRadioMap.Source(
        trace: "", node: "", halvings: 0, times: [], levels: [], links: []),
      limit: Int(UInt16.max),
      [
        .text(\.trace, "trace", .trace, "Trace that was learned from"),
        .text(\.node, "node", .nodeIdentity, "Its moving node"),
        .number(\.halvings, "halvings", "How often half of its readings were left out"),
      ])
  }
}

/// A reading of a source, by which the recording is recognised.
private struct StoredReading {
  var source: UInt16
  var time: Int64
  var level: Float
  var link: UInt32
}

extension Schema<StoredReading> {
  fileprivate static var readings: Schema {
    Schema(
      "radio_map/readings", empty: StoredReading(source: 0, time: 0, level: 0, link: 0),
      [
        .number(\.source, "source", "Row of /radio_map/sources"),
        .number(
          \.time, "time_ms", units: "ms", "Time since 1970-01-01, by the receiver's clock"),
        .number(\.level, "rssi_dbm", units: "dBm", "Level as it was recorded"),
        .number(
          \.link, "link", isLater: true, "Hash of the beacon's and the receiver's names"),
      ])
  }
}

extension StoredRadioMap {
  /// The names of the text attributes.
  package static let settingNames = ["epoch", "window", "truth_at", "levels", "clock_offset"]
}
