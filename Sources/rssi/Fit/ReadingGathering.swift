import Inputs
import PathLoss
import Sightings
import Support
import TracePipelines
import TraceStore

/// Gathers the readings of several inputs at known distances as counts by station.
struct ReadingGathering {
  private let series: Set<String>
  private let minDistance: Double
  private let site: FitSite?
  private var tally: StationTally
  private var lookup: StationLookup?
  private(set) var seenSeries: Set<String> = []
  /// What is wrong with the names of the site's anchors; nil without a site.
  var strangeness: String? { site?.strangeness(beacons: seenBeacons, receivers: seenReceivers) }
  private var seenBeacons: Set<String> = []
  private var seenReceivers: Set<String> = []
  /// By receiver, what is wrong with its levels.
  private(set) var doubts: [String: String] = [:]
  /// Single readings with their times; nil where they are not asked for.
  private var thinned: ThinnedReadings?

  init(
    series: Set<String>, minDistance: Double, isWeighted: Bool, site: FitSite?,
    keepsTimes: Bool = false
  ) {
    self.series = series
    self.minDistance = minDistance
    self.site = site
    tally = StationTally(isWeighted: isWeighted)
    thinned = keepsTimes ? ThinnedReadings() : nil
  }

  /// Reads one input to its end.
  ///
  /// - Parameter progress: makes the progress line of a trace with so many rows.
  mutating func read(_ input: String, filtered: String?, progress: (Int) -> any ActivityProgress)
    throws
  {
    lookup = nil
    guard try InputKind(path: input) == .trace else {
      var reading = self
      try forEachBlock(
        of: input, [], filtered: filtered, note: StandardError.write(line:)
      ) { rows, catalogue in
        try reading.add(rows, catalogue)
        // Stays grow while a stream comes in.
        reading.finish(catalogue)
      }
      self = reading
      return
    }
    let reader = try TraceReader(path: input)
    if let filtered { try requireFilter(filtered, of: reader) }
    try reader.requireUsablePlaces()
    // Times are read only where distances follow from them, or a picture shows them.
    var fields: SightingFields = [.link, .rssi, .dwell, .channel]
    if !reader.catalogue.truth.isEmpty || thinned != nil { fields.insert(.time) }
    let line = progress(reader.count)
    var done = 0
    let catalogue = reader.catalogue
    try reader.forEachBlock(fields, filtered: filtered) { rows in
      try add(rows, catalogue)
      done += rows.rssi.count
      line.update(done)
    }
    line.finish()
    finish(catalogue)
  }

  private mutating func add(_ rows: borrowing SightingColumns, _ catalogue: Catalogue) throws {
    if lookup == nil {
      lookup = StationLookup(catalogue, series: series, minDistance: minDistance, site: site)
    }
    for receiver in catalogue.receivers { doubts[receiver.id] = doubt(receiver) }
    seenSeries.formUnion(catalogue.traces)
    if site != nil {
      seenBeacons.formUnion(catalogue.beacons.lazy.map(\.id))
      seenReceivers.formUnion(catalogue.receivers.lazy.map(\.id))
    }
    guard thinned != nil else {
      try lookup?.count(rows, catalogue, into: &tally)
      return
    }
    let slots = try lookup?.slots(rows, catalogue, of: &tally) ?? []
    tally.add(levels: rows.rssi.span, variances: rows.variance.span, slots: slots.span)
    thinned?.add(levels: rows.rssi, times: rows.time, slots: slots)
  }

  private mutating func finish(_ catalogue: Catalogue) { lookup?.finish(catalogue, &tally) }

  var stations: [Station] { tally.heardStations() }

  /// Some of the readings with their times, evenly taken; nil where they were not asked for.
  var timed: [TimedReading]? {
    thinned.map { kept in
      kept.times.indices.map { index in
        TimedReading(
          time: kept.times[index], level: Double(kept.levels[index]),
          station: tally.station(ofSlot: kept.slots[index]))
      }
    }
  }

  /// Readings left out, by reason.
  var excluded: [String: Int] {
    let reasons: [(StationTally.Exclusion, String)] = [
      (.noLevel, "no-rssi"), (.notNegative, "rssi-not-negative"), (.noDistance, "no-distance"),
      (.zeroDistance, "zero-distance"), (.tooNear, "distance-below-1-cm"),
      (.belowMinimumDistance, "below-min-distance"), (.noVariance, "no-variance"),
    ]
    return reasons.reduce(into: [:]) { counts, reason in
      let count = tally.excluded(reason.0)
      if count > 0 { counts[reason.1] = count }
    }
  }
}

/// Why a receiver's levels are not to be fitted as if each were one advertisement; nil where they
/// are.
private func doubt(_ receiver: Node) -> String? {
  switch receiver.radio.rssiKind {
  case .raw: nil
  case .last:
    "\(receiver.id) tells the last of several advertisements only: few, and neither independent "
      + "nor at the time told"
  case .filtered:
    "\(receiver.id) smooths levels before it tells them: sigma is too small, and levels lag behind "
      + "movement"
  }
}
