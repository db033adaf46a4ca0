import Advertising
import Filtering
import Proximity
import Registries
import Sightings
import Support

/// Sightings on their way to events: filtered link by link, then watched, each trace by itself.
///
/// Sightings are taken one by one, so that how they fall into blocks changes nothing.
struct WatchedSightings<Output: WatchOutput>: SightingSink {
  var output: Output
  private let index: RegionIndex
  private let settings: WatchSettings
  private let registry: Registry
  private var models: DistanceModels
  private let note: (String) -> Void
  /// The beacon that is sought, as it was named; nil where beacons are only watched.
  private let sought: String?
  private var seeks: Bool { sought != nil }
  /// Beacons of no region, as long as no other was heard.
  private var strangers: Set<String> = []
  private static var mostStrangers: Int { 1000 }

  private var filters: FilterChain
  private var noise: LearnedNoise
  private var levels = LevelRows()
  private let isFiltered: Bool

  /// Sightings with a link of no interest have -1.
  private var numbers: [UInt64: Int] = [:]
  private var links: [Link] = []
  /// In the order in which traces appear.
  private var traces: [WatchedTrace] = []
  private(set) var taken = 0
  /// Sightings at times that cannot be.
  private(set) var refused = 0
  /// The newest sighting's time, nanoseconds since the Unix epoch.
  private(set) var newest: Int64?
  /// From 1900 to 2100.
  private static var times: ClosedRange<Int64> {
    -2_208_988_800_000_000_000...4_102_444_800_000_000_000
  }

  private struct Link {
    let trace: WatchedTrace
    /// Its number in the watch of its trace.
    let place: Int
  }

  init(
    _ regions: [Region], _ settings: WatchSettings, chain: [FilterSpecification],
    models: DistanceModels, registry: Registry, sought: String?, output: Output,
    note: @escaping (String) -> Void
  ) {
    index = RegionIndex(regions)
    self.settings = settings
    self.registry = registry
    self.models = models
    self.sought = sought
    self.output = output
    self.note = note
    filters = FilterChain(chain, resetAfter: settings.exitAfter)
    noise = LearnedNoise(chain)
    isFiltered = !chain.isEmpty
  }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count { try take(rows, row, catalogue) }
  }

  /// Ends the periods that are over although nothing was heard.
  mutating func advance(to time: Int64) throws {
    for trace in traces { try endPeriods(of: trace, by: time) }
  }

  /// Ends every watch.
  ///
  /// - Parameter isWhole: whether nothing failed: what was not heard then has another reason.
  mutating func finish(isWhole: Bool = true) throws {
    for trace in traces {
      trace.watch.finish()
      try tell(trace)
    }
    try output.finish()
    if refused > 0 { note("left out \(refused) sightings whose time is before 1900 or after 2100") }
    guard taken == 0, isWhole else { return }
    let heard = strangers.isEmpty ? "nothing was heard" : "heard: \(listed(strangers.sorted()))"
    note(
      "\(sought ?? "no beacon of the regions that are watched") was "
        + "\(sought == nil ? "" : "not ")heard; \(heard)"
    )
  }

  private mutating func take(
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
    let link = links[number]
    var (time, level, variance) = (rows.time[row], Double(rows.rssi[row]), Double.nan)
    let raw = level
    if row < rows.variance.count { variance = Double(rows.variance[row]) }
    if isFiltered {
      levels.removeAll()
      levels.append(row: row, link: number, time: time, rssi: level, channel: rows.channel[row])
      filters.process(&levels)
      if !rows.rssi[row].isNaN,
        let learned = noise.take(time, rows.rssi[row], ofLink: number)
      {
        filters.adopt(learned, forLink: number)
      }
      // A level that the filter keeps to itself shows at least that the beacon is there.
      level = .nan
      if levels.count == 1 {
        (time, level, variance) = (levels.time[0], levels.rssi[0], levels.variance[0])
      }
    }
    try endPeriods(of: link.trace, by: time)
    link.trace.watch.take(link: link.place, time: time, level: level, variance: variance)
    if seeks { link.trace.trends[link.place].add(raw, at: time) }
    try tell(link.trace)
  }

  private mutating func endPeriods(of trace: WatchedTrace, by time: Int64) throws {
    while let end = trace.watch.endPeriod(by: time) {
      try tell(trace)
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

  /// Hands on what changed.
  private mutating func tell(_ trace: WatchedTrace) throws {
    guard !trace.watch.events.isEmpty else { return }
    for event in trace.watch.events {
      try output.take(
        event, of: trace.beacons[event.link], region: event.region.map { index.regions[$0].name })
    }
    trace.watch.events.removeAll(keepingCapacity: true)
  }

  private mutating func link(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Int {
    let key =
      UInt64(rows.trace[row]) << 48 | UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
    if let known = numbers[key] { return known }
    let number = open(rows, row, catalogue)
    numbers[key] = number
    return number
  }

  /// Makes room for a link; -1 where no region has its beacon.
  private mutating func open(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Int {
    let beacon = catalogue.beacons[Int(rows.beacon[row])]
    let regions = index.regions(of: BeaconPattern(beacon.id)?.identity)
    guard !regions.isEmpty else {
      if taken == 0, strangers.count < Self.mostStrangers { strangers.insert(beacon.id) }
      return -1
    }
    let (trace, receiver) = (Int(rows.trace[row]), Int(rows.receiver[row]))
    let registered = registry[id: beacon.id]
    let told = WatchedBeacon(
      id: beacon.id, receiver: catalogue.receivers[receiver].id, trace: catalogue.traces[trace],
      name: registered?.name ?? (beacon.name.isEmpty ? nil : beacon.name), registered: registered)
    let model = models.model(
      of: beacon, receiver: told.receiver, trace: told.trace, registered: registered)
    for text in models.takeNotes() { note(text) }
    let watched = watchedTrace(trace, told.trace)
    let place = watched.watch.addLink(
      model: model, range: registered?.range, regions: regions, receiver: receiver)
    watched.beacons.append(told)
    if seeks { watched.trends.append(Trend()) }
    links.append(Link(trace: watched, place: place))
    noise.open()
    return filters.addLink(LinkPlace(trace: trace, receiver: receiver), noise: noise.assumed)
  }

  private mutating func watchedTrace(_ number: Int, _ name: String) -> WatchedTrace {
    if let known = traces.first(where: { $0.number == number }) { return known }
    let trace = WatchedTrace(
      number: number, name: name, watch: Watch(regions: index.regions, settings: settings))
    traces.append(trace)
    return trace
  }
}

/// The watch of one trace.
private final class WatchedTrace {
  /// As the catalogue numbers it.
  let number: Int
  let name: String
  var watch: Watch
  var beacons: [WatchedBeacon] = []
  /// Of each beacon that is sought; empty where none is.
  var trends: [Trend] = []

  init(number: Int, name: String, watch: Watch) {
    (self.number, self.name, self.watch) = (number, name, watch)
  }
}
