import ArgumentParser
import PathLoss

/// What a fit's groups are: any of beacon, receiver and series; none is one pooled group.
struct Grouping: ExpressibleByArgument, CustomStringConvertible {
  enum Part: String { case series, beacon, receiver }

  var parts: Set<Part>

  init(parts: Set<Part>) { self.parts = parts }

  init?(argument: String) {
    parts = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "pooled": break
      case "link": parts.formUnion([.beacon, .receiver])
      default:
        guard let part = Part(rawValue: String(word)) else { return nil }
        parts.insert(part)
      }
    }
  }

  var description: String {
    if parts.isEmpty { return "pooled" }
    if parts == [.beacon, .receiver] { return "link" }
    return [Part.series, .beacon, .receiver].filter(parts.contains).map(\.rawValue)
      .joined(separator: ",")
  }

  var defaultValueDescription: String { description }

  /// The stations of one group.
  struct Members {
    var series: String?
    var beacon: String?
    var receiver: String?
    var stations: [Station] = []

    /// Series, beacon and receiver, as far as they tell groups apart.
    var key: String { [series, beacon, receiver].compactMap(\.self).joined(separator: "/") }
  }

  /// The group of a station, without stations.
  func members(of station: Station) -> Members {
    Members(
      series: parts.contains(.series) ? station.series : nil,
      beacon: parts.contains(.beacon) ? station.beacon : nil,
      receiver: parts.contains(.receiver) ? station.receiver : nil)
  }

  /// The groups, in order of their keys; none where all readings are one.
  func split(_ stations: [Station]) -> [Members] {
    guard !parts.isEmpty else { return [] }
    var numbers: [[String?]: Int] = [:]
    var groups: [Members] = []
    for station in stations {
      let one = members(of: station)
      let names = [one.series, one.beacon, one.receiver]
      let number = numbers[names] ?? groups.count
      if number == groups.count {
        numbers[names] = number
        groups.append(one)
      }
      groups[number].stations.append(station)
    }
    return groups.sorted { $0.key < $1.key }
  }
}
