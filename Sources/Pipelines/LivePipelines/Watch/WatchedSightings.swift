import Advertising
import Filtering
import Proximity
import Registries
import Sightings
import Support
import TracePipelines

/// Turns sightings into events: filtered link by link, then watched, each trace separately.
///
/// Sightings are processed one by one, so that their division into blocks changes nothing.
final class WatchedSightings: ForgettingSink {
  private var output: any WatchOutput
  var isPaused: Bool { output.isPaused }
  private var index: RegionIndex
  private let settings: WatchSettings
  private let registry: Registry
  private var models: DistanceModels
  private let log: any ActivityLog
  /// The places of nodes, located by the same sightings; nil if only beacons are watched.
  private var places: WatchedPlaces?
  /// The one beacon to search for, as the user named it; nil if regions are watched.
  private let sought: String?
  private var seeks: Bool { sought != nil }
  private var strangers = WatchedStrangers()

  private var filters: FilterChain
  private var levels = LevelRows()
  private let isFiltered: Bool

  /// The places of links; -1 for those of no region.
  private var numbers = WatchedLinks()
  /// The advertisers whose address a region names; empty if no region names an address.
  private var isNamedSender: [Bool] = []
  /// The number of senders in the tables that the registry has learned.
  private var learnedSenders = 0
  private let refusesAmbiguity: Bool
  /// The number of beacons that match a shortened identity and are left out; the first are
  /// reported.
  private var ambiguities = 0
  private static let mostAmbiguities = 100
  private var links: [Place] = []
  /// The watches, in the order in which traces appear.
  private var traces: [WatchedTrace] = []
  private(set) var taken = 0
  private var learnedBeacons = 0
  /// The number of sightings at implausible times.
  private(set) var refused = 0
  /// The newest sighting's time, in nanoseconds since the Unix epoch.
  private(set) var newest: Int64?
  /// The plausible times, from 1900 to 2100.
  private static let times: ClosedRange<Int64> =
    -2_208_988_800_000_000_000...4_102_444_800_000_000_000

  /// The delays of sightings, by a clock that is nil if metrics are not requested.
  private var latency = LatencyHistogram()
  private let clock: MachineClock?

  private static let unknownChannel: UInt8 = 255

  private struct Place {
    let trace: WatchedTrace
    /// The link's number in the watch of its trace.
    let link: Int
    /// The number of changes of its level that were reported.
    var changes = 0
  }

  init(
    _ request: WatchRequest, into output: any WatchOutput, places: WatchedPlaces? = nil,
    log: any ActivityLog, latencyBy clock: MachineClock? = nil, refusesAmbiguity: Bool = false
  ) {
    self.clock = clock
    self.refusesAmbiguity = refusesAmbiguity
    index = RegionIndex(request.regions)
    settings = request.settings
    registry = request.registry
    models = DistanceModels(request.calibration)
    sought = request.seek
    self.output = output
    self.places = places
    self.log = log
    filters = FilterChain(
      request.filter, resetAfter: request.settings.exitAfter, learns: true)
    isFiltered = !request.filter.isEmpty
  }

  func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try learn(catalogue)
    for row in 0..<rows.count {
      try take(rows, row, catalogue)
      try report(places?.take(rows, row, catalogue))
    }
    if let clock { latency.add(rows.time, at: clock.now()) }
  }

  /// The progress of the watch.
  var metrics: StageMetrics {
    var metrics = StageMetrics()
    report(to: &metrics)
    metrics.latency = latency
    return metrics
  }

  /// Adds the numbers of sightings and positions.
  func report(to metrics: inout StageMetrics) {
    places?.report(to: &metrics)
    metrics.sightings = UInt64(taken)
  }

  /// Ends the periods that are over although nothing was received.
  func advance(to time: Int64) throws {
    for trace in traces { try endPeriods(of: trace, by: time) }
  }

  /// Does the work that is due by the wall clock; returns false when the user ends the watch.
  func tick() throws -> Bool {
    try report(places?.tick())
    return try output.tick()
  }

  /// Ends the watches of all traces so far; later rows are of other tables.
  func endTraces() throws {
    for trace in traces {
      trace.watch.finish()
      try report(trace)
    }
    try report(places?.finish())
    traces.removeAll()
    numbers = WatchedLinks()
    isNamedSender.removeAll()
    learnedSenders = 0
    learnedBeacons = 0
  }

  // MARK: Forgetting

  /// The beacons in sight, and the addresses in regions that sent them.
  var rowsInUse: RowsInUse {
    var rows = places?.rowsInUse ?? RowsInUse()
    numbers.add(to: &rows) { number in
      number >= 0 && links[number].trace.watch.isHeard(link: links[number].link)
    }
    return rows
  }

  func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {
    registry.forget(allBut: catalogue)
    places?.renumber(renumbering, in: catalogue)
    learnedSenders = catalogue.senders.count
    learnedBeacons = catalogue.beacons.count
    if !index.addresses.isEmpty {
      isNamedSender = catalogue.advertisers.map { index.addresses.contains($0.bits) }
    }
    let kept = numbers.renumber(renumbering)
    let keptLinks = kept.map { links[$0] }
    for trace in traces { trace.keep(keptLinks.filter { $0.trace === trace }.map(\.link)) }
    var count: [ObjectIdentifier: Int] = [:]
    links = keptLinks.map { place in
      let link = count[ObjectIdentifier(place.trace), default: 0]
      count[ObjectIdentifier(place.trace)] = link + 1
      return Place(trace: place.trace, link: link, changes: place.changes)
    }
    filters.keep(kept)
  }

  /// A Boolean value that is true if rows need their senders.
  var needsSenders: Bool { !index.addresses.isEmpty || !registry.addresses.isEmpty }

  /// Takes new rows of the tables.
  private func learn(_ catalogue: Catalogue) throws {
    if learnedSenders < catalogue.senders.count {
      registry.learn(catalogue, from: learnedSenders)
      learnedSenders = catalogue.senders.count
    }
    if !index.addresses.isEmpty {
      for address in catalogue.advertisers.dropFirst(isNamedSender.count) {
        isNamedSender.append(index.addresses.contains(address.bits))
      }
    }
    for node in catalogue.beacons.dropFirst(learnedBeacons) {
      for (region, selected) in index.select(node.id) {
        try leaveOut(node.id, region: region, selected)
      }
    }
    learnedBeacons = catalogue.beacons.count
  }

  /// Refuses the second beacon of a shortened identity in a file, and warns live.
  private func leaveOut(_ id: String, region: String, _ selected: String) throws {
    guard !refusesAmbiguity else { throw ambiguous(region, [selected, id]) }
    ambiguities += 1
    guard ambiguities <= Self.mostAmbiguities else { return }
    log.warn("\(region) also matches \(id), which is left out; it selects \(selected)")
  }

  /// Ends every watch.
  ///
  /// - Parameter isWhole: true if the source did not fail, which would explain missing beacons.
  func finish(isWhole: Bool = true) throws {
    try endTraces()
    try output.finish()
    if refused > 0 {
      log.note("left out \(refused) sightings whose time is before 1900 or after 2100")
    }
    guard isWhole else { return }
    if let doubt = strangers.doubt(of: registry) { log.warn(doubt) }
    guard taken == 0 else { return }
    log.warn(
      "\(sought ?? "no beacon of the watched regions") was "
        + "\(sought == nil ? "" : "not ")heard; \(strangers.words(besides: index.regions))")
  }

  private func take(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) throws {
    guard Self.times.contains(rows.time[row]) else {
      refused += 1
      return
    }
    let number = link(rows, row, catalogue)
    guard number >= 0 else { return }
    taken += 1
    newest = max(newest ?? .min, rows.time[row])
    let place = links[number]
    var (time, level, variance) = (rows.time[row], Double(rows.rssi[row]), Double.nan)
    let raw = level
    if rows.channel[row] != Self.unknownChannel {
      place.trace.beacons[place.link].channels.insert(rows.channel[row])
    }
    if row < rows.variance.count { variance = Double(rows.variance[row]) }
    if isFiltered {
      levels.removeAll()
      levels.append(row: row, link: number, time: time, rssi: level, channel: rows.channel[row])
      filters.process(&levels)
      // A level that the filter does not pass on shows at least that the beacon is there.
      level = .nan
      if levels.count == 1 {
        (time, level, variance) = (levels.time[0], levels.rssi[0], levels.variance[0])
      }
    }
    try endPeriods(of: place.trace, by: time)
    place.trace.watch.take(link: place.link, time: time, level: level, variance: variance)
    if isFiltered, let change = filters.change(ofLink: number), change.number > place.changes {
      links[number].changes = change.number
      place.trace.watch.noteLevelChange(link: place.link, time: time, from: change.previousRSSI)
    }
    if seeks { place.trace.trends[place.link].add(raw, at: time) }
    try report(place.trace)
  }

  private func endPeriods(of trace: WatchedTrace, by time: Int64) throws {
    while let end = trace.watch.endPeriod(by: time) {
      try report(trace)
      for (link, trend) in trace.trends.enumerated() {
        let ranged = trace.watch.ranged(link: link, at: end)
        try output.take(
          SeekReading(time: end, trend: trend, beacon: ranged), of: trace.beacons[link])
      }
      guard output.wantsRangings else { continue }
      let rangings = trace.watch.rangings(at: end)
      try output.take(rangings, of: trace.name, regions: index.regions, at: end) {
        trace.beacons[$0]
      }
    }
  }

  /// Passes on the changes.
  private func report(_ trace: WatchedTrace) throws {
    guard !trace.watch.events.isEmpty else { return }
    for event in trace.watch.events {
      try output.take(
        event, of: trace.beacons[event.link], region: event.region.map { index.regions[$0].name })
    }
    trace.watch.events.removeAll(keepingCapacity: true)
  }

  /// Passes on arrivals and departures.
  private func report(_ events: [PlaceEvent]?) throws {
    for event in events ?? [] {
      try output.take(event, name: registry[id: event.node.id]?.name)
    }
  }

  private func link(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Int {
    let link = rows.link(row)
    // Senders matter only to regions of addresses.
    var sender: UInt32?
    if !isNamedSender.isEmpty, row < rows.advertiser.count,
      rows.advertiser[row] < isNamedSender.count, isNamedSender[Int(rows.advertiser[row])]
    {
      sender = rows.advertiser[row]
    }
    if let known = numbers[link, sender] { return known }
    let number = open(rows, row, catalogue)
    numbers[link, sender] = number
    return number
  }

  /// Makes room for a link; returns -1 if no region contains its beacon.
  private func open(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Int {
    let node = catalogue.beacons[Int(rows.beacon[row])]
    let sender = row < rows.advertiser.count ? catalogue.sender(rows.advertiser[row]) : nil
    strangers.hear(node.id, sentFrom: sender, for: registry)
    let regions = index.regions(ofBeacon: node.id, sentFrom: sender)
    guard !regions.isEmpty else {
      if taken == 0 { strangers.leaveOut(node.id) }
      return -1
    }
    let (trace, receiver) = (Int(rows.trace[row]), Int(rows.receiver[row]))
    let registered =
      registry[id: node.id] ?? sender.flatMap { registry.beacon(id: node.id, sentFrom: $0) }
    var beacon = WatchedBeacon(
      id: node.id, receiver: catalogue.receivers[receiver].id, trace: catalogue.traces[trace],
      name: registered?.name ?? (node.name.isEmpty ? nil : node.name), registered: registered)
    (beacon.kind, beacon.first, beacon.sender) = (node.kind, rows.time[row], sender)
    let model = models.model(
      of: node, receiver: beacon.receiver, trace: beacon.trace, registered: registered)
    for text in models.takeNotes() { log.warn(text) }
    let watched = watchedTrace(trace, beacon.trace)
    let link = watched.watch.addLink(
      model: model, range: registered?.range, regions: regions, receiver: receiver)
    watched.beacons.append(beacon)
    if seeks { watched.trends.append(Trend()) }
    links.append(Place(trace: watched, link: link))
    return filters.addLink(LinkPlace(trace: trace, receiver: receiver))
  }

  private func watchedTrace(_ number: Int, _ name: String) -> WatchedTrace {
    if let known = traces.first(where: { $0.number == number }) { return known }
    let trace = WatchedTrace(
      number: number, name: name, watch: Watch(regions: index.regions, settings: settings))
    traces.append(trace)
    return trace
  }
}
