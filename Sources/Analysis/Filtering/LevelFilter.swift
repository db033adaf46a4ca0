/// A filter of the levels of one link, for as long as the link is heard without a long gap.
///
/// What it states at a sighting depends on sightings up to that one alone. It never sees a sighting
/// without a level, nor one that is earlier than the one before: the chain takes care of both, and
/// makes a new filter after a gap.
public protocol LevelFilter: Sendable {
  /// Takes the level of one sighting and shows what the level is then.
  ///
  /// - Parameters:
  ///   - time: nanoseconds, at least that of the update before.
  ///   - rssi: dBm, finite.
  ///   - channel: 37 to 39; 255 where it is not known.
  mutating func update(time: Int64, rssi: Double, channel: UInt8) -> FilteredLevel

  /// Log-likelihood of the levels so far, but the first; NaN for a filter that has no model of
  /// them.
  var logLikelihood: Double { get }

  /// A Boolean value that is true if it finds changes of a level at rest.
  static var noticesChanges: Bool { get }

  /// The newest change of a level that had been at rest; nil for a filter that does not look for
  /// it.
  var change: LevelChange? { get }

  /// Goes on with other noise, where the filter has any: a stream learns it on the way.
  mutating func adopt(_ noise: Noise)

  /// Updates the filters of many links with a block; not for filters to implement.
  ///
  /// A requirement, so that there is one loop compiled for each filter: calls to `update` are then
  /// part of it.
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

/// A filter of one link that states the level at a sighting once it knows later ones.
///
/// It states the levels in the order of the sightings, each once. As with `LevelFilter`, times
/// never go back and every sighting has a level.
public protocol LevelSmoother: Sendable {
  /// The time by which a sighting must be later for the level to be final, in nanoseconds; nil =
  /// the end of the link.
  var delay: Int64? { get }

  /// Takes the level of one sighting and appends the levels that are now final.
  mutating func update(
    time: Int64, rssi: Double, channel: UInt8, into levels: inout [FilteredLevel])

  /// Appends the levels that no sighting at or after a time can change.
  mutating func advance(to time: Int64, into levels: inout [FilteredLevel])

  /// Appends all levels that are still owed. No update follows.
  mutating func finish(into levels: inout [FilteredLevel])

  /// Log-likelihood of the levels taken so far, but the first; NaN for a smoother without a model.
  var logLikelihood: Double { get }
}

extension LevelSmoother {
  public var logLikelihood: Double { .nan }
}
