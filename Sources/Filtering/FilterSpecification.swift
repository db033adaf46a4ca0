/// A filter and its parameters as written on the command line: `kalman:q=0.5,r=9`.
public enum FilterSpecification: Equatable, Sendable {
  /// q in dB² per second and r in dB²; nil = to be estimated from the data.
  case kalman(q: Double?, r: Double?)
  /// Window in nanoseconds.
  case median(window: Int64)

  /// Why a text is not a filter: one sentence with what is expected.
  public struct Malformed: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// - Throws: `Malformed` for an unknown filter, parameter or value.
  public init(_ text: String) throws(Malformed) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var parameters: [String: String] = [:]
    if parts.count == 2 {
      for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, parameters[String(sides[0])] == nil else {
          throw Malformed(description: "\"\(pair)\" in \"\(text)\": write parameters once each, as name=value")
        }
        parameters[String(sides[0])] = String(sides[1])
      }
    }
    switch parts[0] {
    case "kalman":
      let q = try Self.number("q", &parameters, in: text) { $0 >= 0 }
      let r = try Self.number("r", &parameters, in: text) { $0 > 0 }
      guard (q == nil) == (r == nil) else {
        throw Malformed(
          description: "\"\(text)\": give both q (dB²/s) and r (dB²), or neither to have them estimated")
      }
      self = .kalman(q: q, r: r)
    case "median":
      let window = parameters.removeValue(forKey: "window") ?? "2s"
      guard let nanoseconds = duration(window), nanoseconds > 0 else {
        throw Malformed(
          description: "window=\(window) in \"\(text)\": write a time such as 2s, 500ms or 1m")
      }
      self = .median(window: nanoseconds)
    default:
      throw Malformed(
        description: "there is no filter \"\(parts[0])\": use kalman or median, as in kalman:q=0.5,r=9 or median:window=2s"
      )
    }
    if let unknown = parameters.keys.sorted().first {
      throw Malformed(description: "\"\(text)\": \(parts[0]) has no parameter \"\(unknown)\"")
    }
  }

  private static func number(
    _ name: String, _ parameters: inout [String: String], in text: String,
    _ isValid: (Double) -> Bool
  ) throws(Malformed) -> Double? {
    guard let value = parameters.removeValue(forKey: name) else { return nil }
    guard let number = Double(value), number.isFinite, isValid(number) else {
      throw Malformed(description: "\(name)=\(value) in \"\(text)\" is not a variance")
    }
    return number
  }

  /// The filter's name in the file: `kalman`, `median`.
  public var name: String {
    switch self {
    case .kalman: "kalman"
    case .median: "median"
    }
  }
}

/// Nanoseconds of a written time: `500ms`, `2s`, `1.5m`, `1h`, `7d`; a bare number is seconds.
public func duration(_ text: String) -> Int64? {
  let units: [(suffix: String, scale: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
  ]
  let unit = units.first { text.hasSuffix($0.suffix) }
  guard let value = Double(text.dropLast(unit?.suffix.count ?? 0)), value.isFinite,
    abs(value) * (unit?.scale ?? 1e9) < 9e18
  else { return nil }
  return Int64((value * (unit?.scale ?? 1e9)).rounded())
}
