internal import CHDF5
internal import Sightings
import Support

/// `/radio_map`: the tables of a radio map, and what was learned from them as attributes.
struct RadioMapTables {
  private let anchors: Table
  private let anchorNode: Column<UInt32>
  private let anchorNumbers: [(WritableKeyPath<StoredRadioMap.Anchor, Double>, Column<Double>)]
  private let placeRecording: Column<UInt32>
  private let placeNumbers: [(WritableKeyPath<StoredRadioMap.Place, Double>, Column<Double>)]
  private let levelPlace: Column<UInt32>
  private let levelAnchor: Column<UInt32>
  private let levelRSSI: Column<Double>
  private let levelPackets: Column<UInt32>
  private let sources: SurveySourceTables
  private let group: Handle
  private let path: String

  /// Whether a file has them; another program's group of that name is none.
  static func isThere(in file: Handle) -> Bool {
    groupNames("radio_map", in: file).contains("levels")
  }

  init(in file: Handle, mode: Table.Mode, path: String) throws(RSSIError) {
    self.path = path
    let root = try Table("radio_map", in: file, mode: mode, path: path)
    group = root.group
    anchors = try Table("radio_map/anchors", in: file, mode: mode, path: path)
    let places = try Table("radio_map/places", in: file, mode: mode, path: path)
    func number<Row>(
      _ place: WritableKeyPath<Row, Double>, in table: Table, _ name: String, _ units: String,
      _ description: String
    ) throws(RSSIError) -> (WritableKeyPath<Row, Double>, Column<Double>) {
      (place, try table.column(name, Double.self, units: units, missing: .nan, description))
    }
    anchorNode = try anchors.column(
      "node", UInt32.self, units: "1", "Row of /beacons or /receivers, see the attribute located")
    anchorNumbers = [
      try number(\.measuredPower, in: anchors, "measured_power_dbm", "dBm", "RSSI at 1 m"),
      try number(\.exponent, in: anchors, "exponent", "1", "Path-loss exponent"),
      try number(\.sigma, in: anchors, "sigma_db", "dB", "Of one packet about the curve"),
      try number(
        \.packetSigma, in: anchors, "packet_sd_db", "dB",
        "Of what successive packets do not share; NaN = not known"),
      try number(
        \.heightDifference, in: anchors, "height_difference_m", "m", "Above the moving nodes"),
      try number(
        \.rate, in: anchors, "reception_rate_hz", "1/s",
        "Sightings a second where it is received well; NaN = not known"),
      try number(
        \.sensitivity, in: anchors, "sensitivity_dbm", "dBm",
        "Level below which packets are lost; NaN = not known"),
    ]
    try anchors.alignToFirstColumn()
    placeRecording = try places.column(
      "recording", UInt32.self, units: "1", "Stretch of a recording without a pause")
    placeNumbers = [
      try number(\.x, in: places, "x_m", "m", "Surveyed place"),
      try number(\.y, in: places, "y_m", "m", "Surveyed place"),
      try number(\.height, in: places, "z_m", "m", "Its height; NaN = not known"),
    ]
    try places.alignToFirstColumn()
    let levels = try Table("radio_map/levels", in: file, mode: mode, path: path)
    levelPlace = try levels.column("place", UInt32.self, units: "1", "Row of /radio_map/places")
    levelAnchor = try levels.column("anchor", UInt32.self, units: "1", "Row of /radio_map/anchors")
    levelRSSI = try levels.column(
      "rssi_dbm", Double.self, units: "dBm", "Mean level of the anchor at the place")
    levelPackets = try levels.column("packets", UInt32.self, units: "1", "Packets behind it")
    try levels.alignToFirstColumn()
    sources = try SurveySourceTables(in: file, mode: mode, path: path)
  }

  func write(_ map: StoredRadioMap) throws(RSSIError) {
    try group.setAttribute("format_version", Self.version, in: path)
    try group.setAttribute(
      "located", map.role == .receiver ? "receivers" : "beacons", in: path)
    try group.setAttribute("dimensions", UInt8(map.isSpace ? 3 : 2), in: path)
    try group.setAttribute("height_m", map.height, in: path)
    if let name = map.group { try group.setAttribute("group", name, in: path) }
    for (name, value) in map.settings.sorted(by: { $0.key < $1.key }) {
      try group.setAttribute(name, value, in: path)
    }
    for (name, place) in Self.variation {
      try group.setAttribute(name, map.variation[keyPath: place], in: path)
    }
    try group.setAttribute("common_variance_db2", map.commonVariance, in: path)
    try group.setAttribute("dispersion", map.dispersion, in: path)
    try anchorNode.append(map.anchors.map(\.node))
    for (place, column) in anchorNumbers {
      try column.append(map.anchors.map { $0[keyPath: place] })
    }
    try placeRecording.append(map.places.map(\.recording))
    for (place, column) in placeNumbers {
      try column.append(map.places.map { $0[keyPath: place] })
    }
    try levelPlace.append(map.levels.map(\.place))
    try levelAnchor.append(map.levels.map(\.anchor))
    try levelRSSI.append(map.levels.map(\.rssi))
    try levelPackets.append(map.levels.map(\.packets))
    try sources.write(map.sources)
  }

  /// - Throws: `.badInput` for what is damaged; rows are not yet known to point to others.
  func read() throws(RSSIError) -> StoredRadioMap {
    let version = group.attribute("format_version", as: UInt16.self) ?? 0
    guard version == Self.version else {
      throw RSSIError(
        .badInput, "the radio map is of format \(version), this rssi reads format \(Self.version)",
        in: path, advice: "update rssi")
    }
    let located = group.textAttribute("located") ?? ""
    guard ["receivers", "beacons"].contains(located) else {
      throw RSSIError(
        .badInput, "/radio_map does not state which nodes are located: it is damaged", in: path)
    }
    var map = StoredRadioMap(role: located == "receivers" ? .receiver : .beacon)
    map.isSpace = group.attribute("dimensions", as: UInt8.self) == 3
    map.height = group.attribute("height_m", as: Double.self) ?? .nan
    map.group = group.textAttribute("group")
    for name in StoredRadioMap.settingNames {
      if let value = group.textAttribute(name) { map.settings[name] = value }
    }
    for (name, place) in Self.variation {
      map.variation[keyPath: place] = group.attribute(name, as: Double.self) ?? .nan
    }
    map.commonVariance = group.attribute("common_variance_db2", as: Double.self) ?? .nan
    map.dispersion = group.attribute("dispersion", as: Double.self) ?? .nan
    map.anchors = try anchorNode.readAll().map { StoredRadioMap.Anchor(node: $0) }
    for (place, column) in anchorNumbers {
      let values = try column.readAll()
      for row in map.anchors.indices { map.anchors[row][keyPath: place] = values[row] }
    }
    map.places = try placeRecording.readAll().map {
      StoredRadioMap.Place(x: .nan, y: .nan, recording: $0)
    }
    for (place, column) in placeNumbers {
      let values = try column.readAll()
      for row in map.places.indices { map.places[row][keyPath: place] = values[row] }
    }
    let (places, numbers) = (try levelPlace.readAll(), try levelAnchor.readAll())
    let (levels, packets) = (try levelRSSI.readAll(), try levelPackets.readAll())
    map.levels = places.indices.map { row in
      StoredRadioMap.Level(
        place: places[row], anchor: numbers[row], rssi: levels[row], packets: packets[row])
    }
    map.sources = try sources.read()
    return map
  }

  private static let version: UInt16 = 1

  private static var variation: [(String, WritableKeyPath<StoredRadioMap.Variation, Double>)] {
    [
      ("spread_db", \.spread), ("length_m", \.length), ("anchor_offset_db", \.anchorOffset),
      ("recording_offset_db", \.recordingOffset), ("place_noise_db", \.placeNoise),
      ("packet_noise_db", \.packetNoise),
    ]
  }
}

extension StoredRadioMap {
  /// The attributes in words.
  package static let settingNames = ["epoch", "window", "truth_at", "levels", "clock_offset"]
}
