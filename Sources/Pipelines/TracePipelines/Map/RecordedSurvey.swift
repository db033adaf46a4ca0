import Evaluation
import Geometry
import PathLoss
import Positioning
import Sightings
import Support
import TraceStore

/// The recordings that a radio map is learned from.
struct RecordedSurvey {
  /// The moving nodes, all of one role.
  let targets: [AskedTarget]
  let anchors: SiteAnchors
  /// Notes for the user.
  private(set) var notes: [String] = []
  private let settings: [String: String]
  private let floors: [Floor]
  private let isOfBuilding: Bool

  /// - Parameters:
  ///   - takesAll: true if fixed nodes at unknown places count as anchors, as in a building.
  ///   - channels: subtracts channel offsets from raw levels; nil = none.
  init(
    _ request: MapRequest, _ readers: [TraceReader], plan: SitePlan, takesAll: Bool = false,
    channels: ChannelCorrection? = nil, log: any ActivityLog
  ) throws {
    var reading = TargetReading(request.epoch, site: plan, stage: "map", log: log)
    reading.traces = Set(request.trace)
    reading.truthAt = request.truthAt
    reading.clockOffset = -request.clockOffset.nanoseconds
    reading.keepsChannels = channels != nil
    if takesAll { reading.takesAll = true }
    var targets: [AskedTarget] = []
    var levels: Set<String> = []
    for reader in readers
    where request.trace.isEmpty || reader.catalogue.traces.contains(where: request.trace.contains) {
      let filter = try chosenFilter(request.filtered, of: reader)
      levels.insert(filter ?? "raw")
      targets += try reading.read(reader, filter: filter)
    }
    targets.removeAll(where: \.isSilent)
    guard let first = targets.first else {
      throw RSSIError(
        .badInput,
        "no anchor was heard during the truth: check the clock of the truth, and "
          + "the names in `site`")
    }
    if let other = targets.first(where: { $0.role != first.role }) {
      throw RSSIError(
        .badInput,
        "\(first.node) is among moving \(first.role.plural) and \(other.node) among moving "
          + "\(other.role.plural): learn a map for each, with `trace`")
    }
    (floors, isOfBuilding) = (plan.floors, plan.building != nil)
    var channels = channels
    anchors = reading.anchors
    self.targets = targets.map { [anchors] in channels.removed(from: $0, among: anchors) }
    notes += channels?.notes(filters: levels.subtracting(["raw"])) ?? []
    let (epoch, window) = request.epoch.description
    settings = [
      "epoch": epoch, "window": window ?? epoch,
      "truth_at": request.epoch.areStops
        ? "stop" : request.truthAt.map { $0 == .windowMiddle ? "middle" : "end" } ?? "default",
      "levels": levels.sorted().joined(separator: ", "),
      "clock_offset": written(duration: request.clockOffset),
    ]
  }

  /// The anchors, as the tables of a file.
  var catalogue: Catalogue {
    var catalogue = Catalogue()
    catalogue.floors = floors
    (catalogue.beacons, catalogue.receivers) = (
      anchors.locating(.receiver), anchors.locating(.beacon)
    )
    return catalogue
  }

  /// Returns the map as its file stores it.
  ///
  /// - Parameter known: the knowledge that it was learned from.
  func stored(
    _ variation: LevelVariation, _ exponents: FloorExponents?, _ known: Surroundings,
    of request: MapRequest
  ) -> StoredRadioMap {
    var stored = StoredRadioMap(role: targets[0].role)
    stored.isOfBuilding = isOfBuilding
    if let exponents { stored.exponents = StoredRadioMap.Exponents(exponents) }
    stored.variation = StoredRadioMap.Variation(variation)
    stored.isSpace = request.dimensions == .space
    stored.group = request.group
    stored.settings = settings
    stored.anchors = known.anchors.enumerated().map { StoredRadioMap.Anchor($1, node: $0) }
    let survey = SurveyedSite(
      targets.map { SurveyTrack($0) }, among: anchors, isInBuilding: isOfBuilding)
    if !stored.isSpace { stored.height = request.height ?? survey.height(stored.role) ?? .nan }
    for place in survey.places[stored.role] ?? [] {
      let number = UInt32(clamping: stored.places.count)
      var row = StoredRadioMap.Place(
        x: place.place.x, y: place.place.y, recording: UInt32(clamping: place.trace))
      row.height = place.height ?? .nan
      if let stretch = place.stretch {
        (row.middleX, row.middleY) = (stretch.centre.x, stretch.centre.y)
        (row.reachX, row.reachY) = (stretch.reach.x, stretch.reach.y)
      }
      if isOfBuilding {
        row.floor = floors.isEmpty ? nil : UInt16(clamping: place.floor)
        row.seconds = place.seconds
      }
      stored.places.append(row)
      stored.levels += place.levels.map {
        StoredRadioMap.Level(
          place: number, anchor: UInt32(clamping: $0.anchor), rssi: $0.rssi,
          packets: UInt32(clamping: $0.packets))
      }
    }
    stored.sources = sources
    return stored
  }

  /// The samples, which together have at most as many readings as a table may.
  private var sources: [StoredRadioMap.Source] {
    targets.map { target in
      var sample = ReadingSample(capacity: (1 << 22) / targets.count)
      sample.merge(target.readings)
      sample.sort()
      return StoredRadioMap.Source(
        trace: target.trace, node: target.node, halvings: UInt8(clamping: sample.halvings),
        times: sample.readings.map(\.time), levels: sample.readings.map(\.level),
        links: sample.readings.map(\.link))
    }
  }
}

extension StoredRadioMap.Variation {
  fileprivate init(_ learned: LevelVariation) {
    self.init()
    kernel = learned.kernel.rawValue
    (spread, length) = (learned.spread, learned.length)
    (anchorOffset, recordingOffset) = (learned.anchorOffset, learned.recordingOffset)
    (placeNoise, packetNoise) = (learned.placeNoise, learned.packetNoise)
    if let near = learned.near { (nearNoise, nearLength) = (near.deviation, near.length) }
  }
}

extension StoredRadioMap.Exponents {
  fileprivate init(_ learned: FloorExponents) {
    self.init()
    (reception, levels) = (learned.reception, learned.levels)
    (window, filter, smoother) = (learned.window, learned.filter, learned.smoother)
  }
}

extension StoredRadioMap.Anchor {
  fileprivate init(_ anchor: Anchor, node: Int) {
    self.init(node: UInt32(clamping: node))
    guard anchor.isPlaced else { return }
    (measuredPower, exponent, sigma) = (anchor.measuredPower, anchor.exponent, anchor.sigma)
    packetSigma = anchor.packetSigma ?? .nan
    heightDifference = anchor.heightDifference
    (rate, sensitivity) = (anchor.reception?.rate ?? .nan, anchor.reception?.sensitivity ?? .nan)
  }
}
