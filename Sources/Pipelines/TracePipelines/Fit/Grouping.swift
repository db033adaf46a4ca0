package import PathLoss

/// What the groups of a fit are: any of beacon, receiver and series; none is one pooled group.
public struct Grouping: CustomStringConvertible, Equatable, Sendable {
  /// What readings of one group have in common.
  public enum Part: String, Sendable { case series, beacon, receiver }

  public var parts: Set<Part>

  public init(_ parts: Set<Part> = []) { self.parts = parts }

  /// Reads `pooled`, `beacon`, `receiver`, `series`, `link`, or several separated by commas.
  public init?(_ text: String) {
    parts = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      switch word {
      case "pooled": break
      case "link": parts.formUnion([.beacon, .receiver])
      default:
        guard let part = Part(rawValue: String(word)) else { return nil }
        parts.insert(part)
      }
    }
  }

  public var description: String {
    if parts.isEmpty { return "pooled" }
    if parts == [.beacon, .receiver] { return "link" }
    return [Part.series, .beacon, .receiver].filter(parts.contains).map(\.rawValue)
      .joined(separator: ",")
  }

  /// The stations of one group.
  public struct Members {
    public var series: String?
    public var beacon: String?
    public var receiver: String?
    package var stations: [Station] = []

    /// Series, beacon and receiver, as far as they distinguish groups.
    public var key: String {
      [series, beacon, receiver].compactMap(\.self).joined(separator: "/")
    }
  }

  /// The group of a station, without stations.
  package func members(of station: Station) -> Members {
    Members(
      series: parts.contains(.series) ? station.series : nil,
      beacon: parts.contains(.beacon) ? station.beacon : nil,
      receiver: parts.contains(.receiver) ? station.receiver : nil)
  }

  /// The groups, in order of their keys; none where all readings are one.
  package func split(_ stations: [Station]) -> [Members] {
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
