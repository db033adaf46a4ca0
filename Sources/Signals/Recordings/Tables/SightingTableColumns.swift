import Sightings
import Support

/// The positions of the columns of a table of sightings.
struct SightingTableColumns: Sendable {
  /// The columns of the parts of an iBeacon's identity.
  struct Identity: Sendable {
    var uuid, major, minor: Int
  }

  let trace, time, receiver, beacon: Int?
  private(set) var rssi: Int?
  let channel, frequency, distance, pose, floor, azimuth, elevation: Int?
  /// The columns of the parts of the beacon's identity, instead of one of its name.
  let identity: Identity?
  /// The columns of the true place of the node that the row is of.
  let place: (x: Int, y: Int, z: Int?)?
  /// The columns that each hold the levels of one node; empty for a table with a level per row.
  private(set) var levels: [Int]
  /// The names of the nodes of those columns.
  let levelNames: [String]
  /// The distances that the names of those columns are, in metres; empty if they are names.
  private let levelDistances: [Double]
  /// The distance of all levels in the column `rssi`, in metres.
  private(set) var fixedDistance: Double?
  /// A Boolean value that is true if those nodes are receivers of one beacon per row.
  let isOfReceivers: Bool
  /// The numbers that mean "not heard".
  let notHeard: [Double]
  let layout: TableLayout

  /// Finds the columns of a table, and notes what was inferred.
  ///
  /// - Throws: `RSSIError` for a table of another kind.
  @inline(never)
  init(_ path: String, _ map: ColumnMap, note: (String) -> Void) throws(RSSIError) {
    try self.init(TableSample(path: path), path, map, note: note)
  }

  /// Finds the columns in the first rows of a table.
  init(
    _ sample: TableSample, _ path: String, _ map: ColumnMap, note: (String) -> Void
  ) throws(RSSIError) {
    let names = sample.header ?? []
    levels =
      try map.levels.map { levels throws(RSSIError) in
        try levels.columns(of: sample, path: path)
      }
      ?? LevelColumns.recognized(in: sample, apartFrom: map)
    let columns = levels
    // Numbers tell apart columns of one name.
    let isNumbered =
      map.levels?.isByNumber == true
      && Set(columns.compactMap { $0 < names.count ? names[$0] : nil }).count < columns.count
    let written = columns.enumerated().map { number, column in
      column < names.count && !names[column].isEmpty && !isNumbered
        ? names[column] : "\(number + 1)"
    }
    let distances = written.compactMap(Self.metres)
    let isOfDistances = !levels.isEmpty && distances.count == levels.count
    (levelDistances, levelNames) = isOfDistances ? (distances, []) : ([], written)
    try Self.requireDistinct(levelNames, path)
    isOfReceivers =
      !levelNames.isEmpty && (map["beacon"] != nil || names.contains("beacon"))
    let known = Self.known(
      names, map, levels, columnsAre: levelNames.isEmpty ? nil : isOfReceivers ? .receiver : .beacon
    )
    var header = try TableHeader(sample, known, map, path: path)
    trace = header["trace"] ?? header["series"]
    time = header["time_s"]
    receiver = header["receiver"]
    beacon = header["beacon"]
    rssi = header["rssi_dbm"]
    channel = header["channel"]
    frequency = header["frequency_mhz"]
    distance = header["true_distance_m"] ?? header["distance_m"]
    pose = header["pose"]
    floor = header["floor"]
    azimuth = header["azimuth_deg"]
    elevation = header["elevation_deg"]
    if let uuid = header["uuid"], let major = header["major"], let minor = header["minor"] {
      identity = Identity(uuid: uuid, major: major, minor: minor)
    } else {
      identity = nil
    }
    if let x = header["x_m"], let y = header["y_m"] {
      place = (x, y, header["z_m"])
    } else {
      place = nil
    }
    layout = header.layout
    notHeard = map.notHeard ?? LevelColumns.notHeard(in: sample, columns: levels)
    if !levels.isEmpty, map.levels == nil || map.notHeard == nil && !notHeard.isEmpty {
      var inferred = header.inferred ?? ColumnMap(map.entries, timeZone: map.timeZone)
      inferred.levels = map.levels ?? LevelColumns(levels, of: sample)
      inferred.notHeard = notHeard
      header.inferred = inferred
    }
    if sample.preambleLines > 0 {
      note("\(path): not read: \(counted(sample.preambleLines, "line")) before the header")
    }
    for sentence in header.sentences { note("\(path): \(sentence)") }
    if map.notHeard == nil, notHeard.isEmpty,
      let level = LevelColumns.doubtful(in: sample, columns: levels)
    {
      note(
        "warning: \(path): the lowest level, \(plain(level)) dBm, is far more frequent than others "
          + "near it: if it stands for \"not heard\", give `notHeard` \(plain(level))")
    }
    if time == nil {
      note(
        "\(path): no times: rows are taken one second apart, in order"
          + (place == nil ? "" : ", and places ten seconds apart"))
    }
  }

  private static func requireDistinct(_ names: [String], _ path: String) throws(RSSIError) {
    var seen: Set<String> = []
    for name in names {
      guard seen.insert(name).inserted else {
        throw .badTable(
          path: path, problem: "two columns of levels are called \"\(name)\"",
          advice: "name the right ones with `levels` by number, such as #1-#4")
      }
      guard TextLimit.name.admits(Array(name.utf8).span) else {
        throw .badTable(
          path: path,
          problem: "the column \"\(name.prefix(40))\" of levels has an invalid name "
            + "(allowed: \(TextLimit.name.rule))")
      }
    }
  }

  /// The columns of a table of sightings. Readings at known distances or places, and wide tables,
  /// need no times.
  ///
  /// - Parameter role: the role of the nodes that have a column each; nil if none has.
  private static func known(
    _ names: [String], _ map: ColumnMap, _ levels: [Int], columnsAre role: NodeRole?
  ) -> TableHeader.Columns {
    func has(_ column: String) -> Bool {
      map[column] != nil
        || names.indices.contains {
          !levels.contains($0) && ColumnHint.rank(names[$0], as: column) != nil
        }
    }
    // With an interval, distances are estimates that `rssi export` made from the levels.
    let isEstimated = names.contains("distance_low_m")
    let distances = isEstimated ? ["true_distance_m"] : ["distance_m", "true_distance_m"]
    let places = has("x_m") && has("y_m") ? ["x_m", "y_m", "z_m"] : []
    let needsTimes = levels.isEmpty && places.isEmpty && !distances.contains(where: has)
    let identity = ["uuid", "major", "minor"]
    let isByParts = map["beacon"] == nil && !names.contains("beacon") && identity.allSatisfy(has)
    let beacons = isByParts ? identity : ["beacon"]
    let nodes = (role == .receiver ? [] : ["receiver"]) + (role == .beacon ? [] : beacons)
    var known = TableHeader.Columns(
      required: (needsTimes ? ["time_s"] : []) + nodes + (levels.isEmpty ? ["rssi_dbm"] : []),
      optional: (needsTimes ? [] : ["time_s"])
        + ["trace", "series", "channel", "frequency_mhz", "pose"] + distances + places
        + ["floor", "azimuth_deg", "elevation_deg"],
      passedOver: Array(EstimatedDistance.names),
      defaults: ["receiver": map.receiver ?? "receiver", "beacon": "beacon"])
    known.levels = levels
    return known
  }

  /// The distance that a header such as `0.5m` or `50 cm` is, in metres.
  private static func metres(_ name: String) -> Double? {
    let number = name.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
    guard !number.isEmpty,
      let value = DecimalNumber.double(Array(number.replacing(",", with: ".").utf8).span),
      case .length(let unit)? = ColumnUnit(
        name.dropFirst(number.count).filter { $0 != " " && $0 != "_" }.lowercased())
    else { return nil }
    return TableLayout.metres(value, unit)
  }

  /// The columns of each pass over the table: one for each column of levels at a distance, so that
  /// the readings at a distance follow each other, and one otherwise.
  var passes: [SightingTableColumns] {
    guard !levelDistances.isEmpty else { return [self] }
    return zip(levels, levelDistances).map { column, distance in
      var pass = self
      (pass.levels, pass.rssi, pass.fixedDistance) = ([], column, distance)
      return pass
    }
  }

  /// The rows of the table.
  @inline(never)
  func lines(
    _ path: String, capacity: Int, _ progress: any ActivityProgress
  ) throws -> TableLines {
    try TableLines(layout.files, capacity: capacity, progress)
  }
}

/// The times of the rows of a table that has none: they are one second apart, and places are ten
/// seconds apart, so that each is a stop.
struct RowClock {
  typealias Place = (node: UInt32, x: Double, y: Double, z: Double)

  /// The time for which a node stands at least at each place, in nanoseconds.
  static let stay = 5 * Timestamp.second

  private var next: Int64 = 0
  private var place: Place?

  /// The time of the next row.
  mutating func next(at place: Place?) -> Int64 {
    if let last = self.place, let place,
      last.x != place.x || last.y != place.y
        || last.node != place.node || !isSame(last.z, place.z)
    {
      next += 2 * Self.stay
    }
    if let place { self.place = place }
    defer { next += Timestamp.second }
    return next
  }
}
