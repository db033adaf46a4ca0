package import PathLoss

/// The grouping of a fit, by any of beacon, receiver and series; without parts all readings are
/// pooled.
public struct Grouping: CustomStringConvertible, Equatable, Sendable {
  /// A property that all readings of one group share.
  public enum Part: String, Sendable { case series, beacon, receiver }

  /// The properties that all readings of one group share; empty pools all readings.
  public var parts: Set<Part>

  /// Creates a grouping.
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
    /// The series of the group; nil if readings are not grouped by series.
    public var series: String?
    /// The beacon of the group; nil if readings are not grouped by beacon.
    public var beacon: String?
    /// The receiver of the group; nil if readings are not grouped by receiver.
    public var receiver: String?
    package var stations: [Station] = []

    /// Series, beacon and receiver, as far as they distinguish groups.
    public var key: String {
      [series, beacon, receiver].compactMap(\.self).joined(separator: "/")
    }
  }

  /// Returns the group of a station, without stations.
  package func members(of station: Station) -> Members {
    Members(
      series: parts.contains(.series) ? station.series : nil,
      beacon: parts.contains(.beacon) ? station.beacon : nil,
      receiver: parts.contains(.receiver) ? station.receiver : nil)
  }

  /// Returns the groups, in order of their keys; none if all readings are one group.
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
