package import PathLoss
import Support

/// The readings of one file or of all files of a fit, counted by station.
///
/// Files are read separately, and merged in the order of their names, so that the parts of several
/// processes give the same result as one process.
package struct FitReadings: Codable, Sendable {
  /// The files, and the recordings that they were made from.
  package var inputs: [Calibration.Input] = []
  package var stations: [Station] = []
  /// The number of readings left out, by reason.
  package var excluded: [String: Int] = [:]
  /// The doubts about the levels of receivers, by receiver.
  package var doubts: [String: String] = [:]
  /// Some of the readings, to recognise them; `nil` if they are not raw levels.
  package var sample: ReadingSample?
  /// The names of all series, and, with a site, of all beacons and receivers.
  var series: [String] = []
  var beacons: [String] = []
  var receivers: [String] = []
  /// Some of the readings with their times, for a picture; parts do not have them.
  package var timed: TimedReadings?
  /// The stations of each file that was merged, whose lists are united at the end.
  private(set) var files: [(name: String, stations: [Station])] = []

  private enum CodingKeys: String, CodingKey {
    case inputs, stations, excluded, doubts, sample, series, beacons, receivers
  }

  /// Returns whether one file comes before another, independent of the order in which they were
  /// given.
  static func precedes(_ a: FitReadings, _ b: FitReadings) -> Bool {
    let (a, b) = (a.inputs.first, b.inputs.first)
    return (a?.name ?? "", a?.sha256 ?? "") < (b?.name ?? "", b?.sha256 ?? "")
  }

  /// Adds a file; sums depend on the order in the last bits.
  mutating func merge(_ file: FitReadings) {
    if files.isEmpty {
      (sample, timed) = (file.sample, file.timed)
    } else {
      if let other = file.sample { sample?.merge(other) }
      if let other = file.timed { timed?.merge(other) }
    }
    inputs += file.inputs
    excluded.merge(file.excluded, uniquingKeysWith: +)
    doubts.merge(file.doubts) { $1 }
    series += file.series
    beacons += file.beacons
    receivers += file.receivers
    files.append((file.inputs.first?.name ?? "-", file.stations))
  }

  /// Unites the stations of the files that were merged.
  ///
  /// - Throws: `RSSIError` for a file that is given twice, and for a requested series that no file
  ///   has.
  mutating func unite(series asked: [String]) throws(RSSIError) {
    try requireDifferent(inputs)
    let known = Set(series)
    if let missing = asked.first(where: { !known.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no series \"\(missing)\"; there are " + known.sorted().joined(separator: ", "))
    }
    stations = merged(files.map(\.stations))
    sample?.sort()
  }
}

/// The stations of several files, with series of one name in several files kept apart.
///
/// Two rooms whose tables both name their series `calibration` are not one environment. Such a
/// series is named with its file: `calibration (room-a/distances.csv)`; all others keep their
/// names.
struct SeriesOfFiles {
  /// The stations by file.
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

  /// Returns paths without the folders that they share.
  private static func shortened(_ paths: [String]) -> [String] {
    let parts = paths.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    let most = (parts.map(\.count).min() ?? 1) - 1
    let same = (0..<most).prefix { index in parts.allSatisfy { $0[index] == parts[0][index] } }
    return parts.map { $0.dropFirst(same.count).joined(separator: "/") }
  }
}
