import Advertising
import PathLoss
import Recordings
import Sightings
import Sites
import Support
import TraceStore

/// Gathers the readings of one input at known distances as counts by station.
final class ReadingGathering {
  private let selection: ReadingSelection
  private let site: FitSite?
  private let progress: any ActivityProgress
  private let log: any ActivityLog
  private var tally: StationTally
  private var lookup: StationLookup?
  private var seenSeries: Set<String> = []
  private var seenBeacons: Set<String> = []
  private var seenReceivers: Set<String> = []
  /// The problems with the levels of receivers, by receiver.
  private var doubts: [String: String] = [:]
  /// A sample to recognise the readings in other recordings; nil if they are not raw levels.
  private var sample: ReadingSample?
  /// The choice of traces to fit, by number.
  private var takesTrace: [Bool] = []
  /// The hashes of the names of nodes, by number.
  private var hashes: (beacons: [UInt64], receivers: [UInt64]) = ([], [])
  /// Single readings with their times; nil if they are not requested.
  private var thinned: ThinnedReadings?

  init(
    _ selection: ReadingSelection, isWeighted: Bool, site: FitSite?, isFiltered: Bool,
    keepsTimes: Bool, progress: any ActivityProgress, log: any ActivityLog
  ) {
    self.progress = progress
    self.selection = selection
    self.site = site
    self.log = log
    tally = StationTally(isWeighted: isWeighted)
    sample = isFiltered ? nil : ReadingSample(capacity: ReadingSample.capacityOfCalibration)
    thinned = keepsTimes ? ThinnedReadings() : nil
  }

  /// Reads the input to its end.
  func read(_ input: String, filtered: String?, columns: ColumnMap) throws {
    defer { progress.finish() }
    if try InputKind(path: input) == .trace {
      try read(TraceReader(path: input), filtered: filtered)
      return
    }
    try forEachBlock(of: input, [], filtered: filtered, columns: columns, note: log.note) {
      rows, catalogue in
      try self.add(rows, catalogue)
      // Stays grow while a stream comes in.
      try self.finish(catalogue)
    }
  }

  private func read(_ reader: TraceReader, filtered: String?) throws {
    if let filtered { try requireFilter(filtered, of: reader) }
    try reader.requireUsablePlaces(note: log.note)
    let catalogue = try site?.site.heard(in: reader) ?? reader.catalogue
    if let site { try SitePlan(site.site).requireMetres(anchors: site.anchors(of: catalogue)) }
    // Times are read only if distances depend on them, or readings are kept with them.
    var fields: SightingFields = [.link, .rssi, .stay, .channel]
    if !catalogue.truth.isEmpty || thinned != nil || sample != nil { fields.insert(.time) }
    let length = fileLength(reader.path)
    var done = 0
    try reader.forEachBlock(fields, filtered: filtered) { rows in
      try add(rows, catalogue)
      done += rows.rssi.count
      progress.update(Int(Double(length) * Double(done) / Double(reader.count)))
    }
    if filtered == nil { for text in try reader.levelNotes() { log.note(text) } }
    try finish(catalogue)
  }

  private func add(_ rows: borrowing SightingColumns, _ catalogue: Catalogue) throws {
    if lookup == nil {
      lookup = try StationLookup(catalogue, selection, site: site)
    }
    for receiver in catalogue.receivers {
      if let doubt = doubt(receiver) { doubts[receiver.id] = doubt }
    }
    seenSeries.formUnion(catalogue.traces)
    if site != nil {
      seenBeacons.formUnion(catalogue.beacons.lazy.map(\.id))
      seenBeacons.formUnion(
        catalogue.senders.lazy.map { "\(BeaconIdentity.address($0.address))" })
      seenReceivers.formUnion(catalogue.receivers.lazy.map(\.id))
    }
    sampleReadings(rows, catalogue)
    guard thinned != nil else {
      try lookup?.count(rows, catalogue, into: &tally)
      return
    }
    let slots = try lookup?.slots(rows, catalogue, of: &tally) ?? []
    tally.add(levels: rows.rssi.span, variances: rows.variance.span, slots: slots.span)
    thinned?.add(levels: rows.rssi, times: rows.time, slots: slots)
  }

  private func sampleReadings(_ rows: borrowing SightingColumns, _ catalogue: Catalogue) {
    guard sample != nil else { return }
    for trace in catalogue.traces.dropFirst(takesTrace.count) {
      takesTrace.append(selection.takes(series: trace))
    }
    hashes.beacons += catalogue.beacons.dropFirst(hashes.beacons.count).map {
      ReadingSample.hash($0.id)
    }
    hashes.receivers += catalogue.receivers.dropFirst(hashes.receivers.count).map {
      ReadingSample.hash($0.id)
    }
    let takesAll = !takesTrace.contains(false)
    for row in rows.rssi.indices where takesAll || takesTrace[Int(rows.trace[row])] {
      sample?.add(
        time: rows.time[row], level: rows.rssi[row],
        link: ReadingSample.link(
          beacon: hashes.beacons[Int(rows.beacon[row])],
          receiver: hashes.receivers[Int(rows.receiver[row])]))
    }
  }

  private func finish(_ catalogue: Catalogue) throws {
    try lookup?.finish(catalogue, &tally)
  }

  /// Returns everything that was read.
  ///
  /// - Parameter inputs: the file, and the recordings that it was made from.
  func readings(of inputs: [Calibration.Input]) -> FitReadings {
    var readings = FitReadings()
    readings.inputs = inputs
    readings.stations = tally.heardStations(andSilent: selection.addsSilent)
    (readings.excluded, readings.doubts) = (excluded, doubts)
    readings.sample = sample
    readings.sample?.sort()
    readings.series = seenSeries.sorted()
    (readings.beacons, readings.receivers) = (seenBeacons.sorted(), seenReceivers.sorted())
    readings.timed = thinned.map { TimedReadings($0, tally) }
    return readings
  }

  /// The numbers of readings left out, by reason.
  private var excluded: [String: Int] {
    let reasons: [(StationTally.Exclusion, String)] = [
      (.noLevel, "no-rssi"), (.noDistance, "no-distance"),
      (.zeroDistance, "zero-distance"), (.tooNear, "distance-below-1-cm"),
      (.belowMinimumDistance, "below-min-distance"), (.noVariance, "no-variance"),
    ]
    return reasons.reduce(into: [:]) { counts, reason in
      let count = tally.excluded(reason.0)
      if count > 0 { counts[reason.1] = count }
    }
  }
}

/// The code of the diagnostic with a sentence of `doubt(_:)`.
let doubtfulReceiver = "doubtful-receiver"

/// Returns the reason why a receiver's levels are not those of single advertisements; nil if they
/// are. The sentence begins with the receiver's name.
private func doubt(_ receiver: Node) -> String? {
  switch receiver.radio.rssiKind {
  case .raw: nil
  case .last:
    "\(receiver.id) reports the last of several advertisements only: few, and neither independent "
      + "nor at the time reported"
  case .filtered:
    "\(receiver.id) smooths levels before it reports them: sigma is too small, and levels lag "
      + "behind movement"
  }
}

/// The data of a site file for a fit: the places of anchors, and the walls.
struct FitSite {
  let site: Site
  let walls: WallCrossings

  init(path: String) throws { try self.init(Site(path: path)) }

  init(_ site: Site) throws(RSSIError) {
    self.site = site
    walls = try WallCrossings(site.walls)
  }

  /// Returns the nodes of a recording at known places, from either source.
  func anchors(of catalogue: Catalogue) throws -> [Node] {
    let placed = try site.placing(catalogue)
    return (placed.beacons + placed.receivers).filter(\.isAnchor)
  }
}
