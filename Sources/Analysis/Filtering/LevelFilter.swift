/// A filter for the levels of one link between two long gaps.
///
/// Its output at a sighting depends only on sightings up to that one. The chain passes it only
/// sightings with a level, in order of time, and creates a new filter after a gap.
public protocol LevelFilter: Sendable {
  /// Updates the filter with the level of one sighting, and returns the filtered level.
  ///
  /// - Parameters:
  ///   - time: The time in nanoseconds, at least that of the previous update.
  ///   - rssi: The level in dBm, finite.
  ///   - channel: The channel, 37 to 39; 255 if unknown.
  mutating func update(time: Int64, rssi: Double, channel: UInt8) -> FilteredLevel

  /// The log-likelihood of all levels but the first; NaN for a filter without a model.
  var logLikelihood: Double { get }

  /// A Boolean value that is true if the filter detects changes of a level at rest.
  static var noticesChanges: Bool { get }

  /// The latest change of a level at rest; `nil` for a filter that does not detect changes.
  var change: LevelChange? { get }

  /// Continues with other noise, as learned from a stream, if the filter has any.
  mutating func adopt(_ noise: Noise)

  /// Updates the filters of many links with a block; filters do not implement this.
  ///
  /// It is a requirement so that one loop is compiled per filter, in which calls to `update` are
  /// inlined.
  static func update(
    _ filters: inout [Self], _ rows: borrowing LevelRows, _ levels: inout [Double],
    _ variances: inout [Double], restart: (_ filter: inout Self, _ link: Int) -> Void)
}

extension LevelFilter {
  public var logLikelihood: Double { .nan }

  public static var noticesChanges: Bool { false }

  public var change: LevelChange? { nil }

  public mutating func adopt(_ noise: Noise) {}

  public static func update(
    _ filters: inout [Self], _ rows: borrowing LevelRows, _ levelColumn: inout [Double],
    _ varianceColumn: inout [Double], restart: (_ filter: inout Self, _ link: Int) -> Void
  ) {
    let links = rows.link.span
    let times = rows.time.span
    let channels = rows.channel.span
    let starts = rows.starts.span
    var filters = filters.mutableSpan
    var levels = levelColumn.mutableSpan
    var variances = varianceColumn.mutableSpan
    for index in 0..<links.count where !levels[index].isNaN {
      let link = Int(links[index])
      if starts[index] { restart(&filters[link], link) }
      let result = filters[link].update(
        time: times[index], rssi: levels[index], channel: channels[index])
      levels[index] = result.rssi
      variances[index] = result.variance
    }
  }
}

/// A filter of one link that returns the level at a sighting after later ones.
///
/// It returns the levels in the order of the sightings, each once. As with `LevelFilter`, times
/// never decrease and every sighting has a level.
public protocol LevelSmoother: Sendable {
  /// The time after a sighting at which its level is final, in nanoseconds; `nil` for the end of
  /// the link.
  var delay: Int64? { get }

  /// Updates the smoother with the level of one sighting and appends the levels that are now final.
  mutating func update(
    time: Int64, rssi: Double, channel: UInt8, into levels: inout [FilteredLevel])

  /// Appends the levels that no sighting at or after a time can change.
  mutating func advance(to time: Int64, into levels: inout [FilteredLevel])

  /// Appends all remaining levels. No update follows.
  mutating func finish(into levels: inout [FilteredLevel])

  /// The log-likelihood of all levels so far but the first; NaN for a smoother without a model.
  var logLikelihood: Double { get }
}

extension LevelSmoother {
  public var logLikelihood: Double { .nan }
}
