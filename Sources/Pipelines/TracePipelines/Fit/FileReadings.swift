import PathLoss
import Support

/// What a fit knows of one file. Files are read each by itself, so that parts of several processes
/// are what one process unites.
struct FileReadings: Codable, Sendable {
  /// The file, and the recordings that it was made from.
  var inputs: [Calibration.Input]
  var stations: [Station]
  /// Readings left out, by reason.
  var excluded: [String: Int]
  /// By receiver, what is wrong with its levels.
  var doubts: [String: String]
  /// Nil where the readings are not raw levels.
  var sample: ReadingSample?
  /// The names of all series, and, with a site, of all beacons and receivers.
  var series: [String]
  var beacons: [String]
  var receivers: [String]
  /// For a picture; parts do not have it.
  var timed: TimedReadings?

  private enum CodingKeys: String, CodingKey {
    case inputs, stations, excluded, doubts, sample, series, beacons, receivers
  }

  /// Names by which files are in order, whatever their order was.
  static func precedes(_ a: FileReadings, _ b: FileReadings) -> Bool {
    let (a, b) = (a.inputs.first, b.inputs.first)
    return (a?.name ?? "", a?.sha256 ?? "") < (b?.name ?? "", b?.sha256 ?? "")
  }
}

/// What a fit knows of all files.
struct UnitedReadings {
  /// Without stations, whose lists are united at the end.
  private var readings = FitReadings()
  private(set) var files: [(name: String, stations: [Station])] = []
  private(set) var series: Set<String> = []
  private(set) var beacons: Set<String> = []
  private(set) var receivers: Set<String> = []
  private var isEmpty = true

  /// Adds a file; sums depend on the order in the last bits.
  mutating func add(_ file: FileReadings) {
    readings.inputs += file.inputs
    readings.excluded.merge(file.excluded, uniquingKeysWith: +)
    readings.doubts.merge(file.doubts) { $1 }
    if isEmpty {
      (readings.sample, readings.timed) = (file.sample, file.timed)
    } else {
      if let other = file.sample { readings.sample?.merge(other) }
      if let other = file.timed { readings.timed?.merge(other) }
    }
    isEmpty = false
    files.append((file.inputs.first?.name ?? "-", file.stations))
    series.formUnion(file.series)
    beacons.formUnion(file.beacons)
    receivers.formUnion(file.receivers)
  }

  /// - Throws: `RSSIError` where a file is there twice, and where none has a series that was asked
  ///   for.
  func readings(of asked: [String]) throws(RSSIError) -> FitReadings {
    try requireDifferent(readings.inputs)
    if let missing = asked.first(where: { !series.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no series \"\(missing)\"; there are " + series.sorted().joined(separator: ", "))
    }
    var whole = readings
    whole.stations = merged(files.map(\.stations))
    whole.sample?.sort()
    return whole
  }
}

/// The stations of several files, where series of one name in several files are kept apart.
///
/// Two rooms whose tables both name their series `calibration` are not one environment. Such a
/// series is named with its file: `calibration (room-a/distances.csv)`; all others keep their names.
struct SeriesOfFiles {
  /// By file.
  private(set) var stations: [[Station]]
  /// The names that were in several files.
  let shared: [String]

  /// - Parameter files: names with the stations of each.
  init(_ files: [(name: String, stations: [Station])]) {
    var owners: [String: Int] = [:]
    for file in files {
      for series in Set(file.stations.map(\.series)) { owners[series, default: 0] += 1 }
    }
    let several = Set(owners.filter { $0.value > 1 }.keys)
    shared = several.sorted()
    stations = files.map(\.stations)
    guard !several.isEmpty else { return }
    for (file, name) in Self.shortened(files.map(\.name)).enumerated() {
      for index in stations[file].indices where several.contains(stations[file][index].series) {
        stations[file][index].series += " (\(name))"
      }
    }
  }

  /// Paths without the folders that all of them are in.
  private static func shortened(_ paths: [String]) -> [String] {
    let parts = paths.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    let most = (parts.map(\.count).min() ?? 1) - 1
    let same = (0..<most).prefix { index in parts.allSatisfy { $0[index] == parts[0][index] } }
    return parts.map { $0.dropFirst(same.count).joined(separator: "/") }
  }
}
