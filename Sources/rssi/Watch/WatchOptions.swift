import Advertising
import ArgumentParser
import Filtering
import LivePipelines
import PathLoss
import Proximity
import Registries
import Sites
import Support
import TracePipelines

/// The beacons to watch, and the thresholds of a change.
struct WatchRules: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Region, a set of beacons: UUID, UUID:MAJOR, UUID:MAJOR:MINOR, eddystone-uid:NAMESPACE[:INSTANCE], or an address; repeatable. (default: the site's regions, else all beacons)",
      discussion:
        "NAME=PATTERN names the region; PATTERN@near,immediate counts beacons only while they are in these zones.",
      valueName: "[name=]pattern[@zones]"), transform: { try RegionText($0) })
  var region: [RegionText] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Filter; repeat the option for a chain; none leaves levels unchanged. (default: multiple-model)",
      valueName: "filter"), completion: .list(FilterKind.all.map(\.name)))
  var filter: [String] = []

  @Option(
    help: ArgumentHelp(
      "Time between rangings, \(WatchRequest.periods) (default: 1s; 200ms for `rssi serve`).",
      valueName: "time"))
  var every: String?

  @Option(
    help: ArgumentHelp(
      "A beacon has left after this time without a sighting, or after a number of rangings, as in 2scans.",
      valueName: "time"))
  var exitAfter = "30s"

  @Option(
    help: ArgumentHelp(
      "Outer borders of the zones in metres: IMMEDIATE,NEAR.", valueName: "metres,metres"))
  var zones = "0.5,3"

  @Option(
    help: ArgumentHelp(
      "Hysteresis in dB: a level must pass a border by this much for the zone to change.",
      valueName: "db"))
  var hysteresis = 2.0

  /// Fills in a request.
  ///
  /// - Parameters:
  ///   - site: the file of a site, whose regions are the default.
  ///   - period: the default time between rangings.
  func apply(to request: inout WatchRequest, site: String?, period: String = "1s") throws {
    request.settings = try settings(period: every ?? period)
    request.filter = try filters()
    if let sought = request.seek {
      guard region.isEmpty else {
        throw RSSIError(
          .usage, "--seek looks for one beacon, --region watches many: choose one")
      }
      request.regions = [try Self.region(of: sought, request.registry)]
    } else if let regions = try regions(of: site, request.registry) {
      request.regions = regions
    }
    try request.check()
  }

  private func settings(period: String) throws -> WatchSettings {
    var settings = WatchSettings()
    settings.period = try time(period, "--every", WatchRequest.periods)
    settings.exitAfter = try exitTime(settings.period)
    settings.staleAfter = min(settings.staleAfter, settings.exitAfter)
    let borders = zones.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0) ?? .nan
    }
    // The request refuses what is not two distances.
    settings.borders =
      borders.count == 2
      ? ZoneBorders(immediate: borders[0], near: borders[1])
      : ZoneBorders(immediate: .nan, near: .nan)
    settings.hysteresis = hysteresis
    return settings
  }

  /// The time without a sighting; "scans" alone are two rangings.
  private func exitTime(_ period: Duration) throws -> Duration {
    guard
      let digits = ["scans", "scan"].first(where: exitAfter.hasSuffix).map({
        exitAfter.dropLast($0.count)
      })
    else { return try time(exitAfter, "--exit-after") }
    guard let scans = digits.isEmpty ? 2 : Int64(digits), (1...100_000).contains(scans) else {
      throw RSSIError(
        .usage,
        "--exit-after \(exitAfter): write a time such as 30s, or rangings such as 2scans")
    }
    return period * Int(scans)
  }

  private func filters() throws -> [FilterSpecification] {
    if filter == ["none"] { return [] }
    return try (filter.isEmpty ? ["multiple-model"] : filter).map {
      text throws(RSSIError) in try FilterSpecification(text)
    }
  }

  /// The regions of the options or of the site; nil for none.
  private func regions(of site: String?, _ registry: Registry) throws -> [Region]? {
    var regions = try region.map { region in
      Region(
        name: region.name,
        patterns: [try beaconPattern(region.beacon, of: "region", in: registry)].compactMap(\.self),
        zones: region.zones)
    }
    if regions.isEmpty, let site { regions = try Site(path: site).regions }
    return regions.isEmpty ? nil : regions
  }

  /// The beacon of an identity or a name.
  private static func region(of text: String, _ registry: Registry) throws -> Region {
    Region(name: text, patterns: [try oneBeacon(text, of: "seek", in: registry)])
  }
}

/// The input of a watch.
struct WatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Search for one beacon: report warmer and colder as its level changes.", valueName: "beacon"))
  var seek: String?

  @Option(
    help: ArgumentHelp("Calibration file to convert levels to distances.", valueName: "file"),
    completion: .file())
  var calibration: InputPath?

  @Option(
    help: ArgumentHelp("Site file (TOML) with [[regions]].", valueName: "file"), completion: .file()
  )
  var site: SitePath?

  @OptionGroup var registering: RegistryOptions

  @OptionGroup var rules: WatchRules

  /// - Parameter inputs: files, whose traces give names of beacons.
  func request(_ log: ConsoleLog, of inputs: [String]) throws -> WatchRequest {
    var request = WatchRequest()
    request.registry = try registering.load(log)
    if seek != nil || !rules.region.isEmpty { try request.registry.learnNames(from: inputs) }
    request.calibration = try calibration.map { (try Calibration(path: $0.path), $0.path) }
    request.seek = seek
    try rules.apply(to: &request, site: site?.path)
    return request
  }
}
