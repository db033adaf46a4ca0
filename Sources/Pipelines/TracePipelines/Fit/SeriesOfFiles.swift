import PathLoss

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
