public import Sightings
public import Support

extension TraceReader {
  /// Calls a closure with every sighting and its names, in the order of the file and in constant
  /// memory.
  ///
  /// ```swift
  /// try TraceReader(path: "walk.h5").forEachSighting { sighting in
  ///   print(sighting.time, sighting.beacon, sighting.rssi ?? .nan)
  /// }
  /// ```
  ///
  /// - Throws: `RSSIError` for a trace that cannot be read, or any error of the body.
  public func forEachSighting(_ body: (NamedSighting) throws -> Void) throws {
    try forEachBlock([.time, .link, .rssi, .channel]) { rows in
      for row in 0..<rows.count { try body(NamedSighting(rows, row, in: catalogue)) }
    }
  }

  /// Returns the sightings of one beacon, in the order of the file.
  ///
  /// - Parameters:
  ///   - beacon: The name of the beacon in the trace.
  ///   - receiver: The only receiver; `nil` for all.
  ///   - trace: The only trace; `nil` for all.
  /// - Throws: `.badInput` for an unknown beacon, or a trace that cannot be read.
  public func sightings(
    of beacon: String, at receiver: String? = nil, in trace: String? = nil
  ) throws(RSSIError) -> [NamedSighting] {
    guard let number = catalogue.beacons.firstIndex(where: { $0.id == beacon }) else {
      throw RSSIError(
        .badInput,
        "unknown beacon \"\(beacon)\"\(didYouMean(beacon, among: catalogue.beacons.map(\.id)))",
        in: path
      )
    }
    var found: [NamedSighting] = []
    do {
      try forEachBlock([.time, .link, .rssi, .channel]) { rows in
        for row in 0..<rows.count where rows.beacon[row] == number {
          let sighting = NamedSighting(rows, row, in: catalogue)
          guard receiver.map({ $0 == sighting.receiver }) ?? true,
            trace.map({ $0 == sighting.trace }) ?? true
          else { continue }
          found.append(sighting)
        }
      }
    } catch {
      throw RSSIError(error)
    }
    return found
  }
}
