import ArgumentParser
import Filtering
import Proximity
import Support

/// What is watched, and when something counts as a change.
struct WatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Region, a set of beacons: UUID, UUID:MAJOR, UUID:MAJOR:MINOR, eddystone-uid:NAMESPACE[:INSTANCE], or an address; repeatable. (default: the site's regions, else all beacons)",
      discussion:
        "NAME=PATTERN names the region; PATTERN@near,immediate counts beacons only while they are in these zones.",
      valueName: "[name=]pattern[@zones]"))
  var region: [RegionArgument] = []

  @Option(help: "Search for one beacon: report warmer and colder as its level changes.")
  var seek: String?

  @Option(help: "Calibration file to convert levels to distances.")
  var calibration: String?

  @Option(help: "Site file (TOML) with [[regions]].")
  var site: String?

  @OptionGroup var registering: RegistryOptions

  @Option(
    name: .shortAndLong,
    help: "Filter; repeat the option for a chain; none leaves levels unchanged. (default: kalman)")
  var filter: [String] = []

  @Option(help: "Time between rangings.")
  var every = "1s"

  @Option(
    help:
      "A beacon has left after this time without a sighting, or after a number of rangings, as in 2scans."
  )
  var exitAfter = "30s"

  @Option(help: "Outer borders of the zones in metres: IMMEDIATE,NEAR.")
  var zones = "0.5,3"

  @Option(help: "Hysteresis in dB: a level must pass a border by this much for the zone to change.")
  var hysteresis = 2.0

  func settings() throws -> WatchSettings {
    var settings = WatchSettings()
    settings.period = try time(every, "--every")
    guard (100_000_000...60_000_000_000).contains(settings.period) else {
      throw RSSIError(.usage, "--every \(every): write a time from 100ms to 1m")
    }
    settings.exitAfter = try exitTime(settings.period)
    settings.staleAfter = min(settings.staleAfter, settings.exitAfter)
    let borders = zones.split(separator: ",", omittingEmptySubsequences: false).compactMap {
      Double($0)
    }
    guard borders.count == 2, borders[0] > 0, borders[0] < borders[1], borders[1] <= 1e4 else {
      throw RSSIError(
        .usage,
        "--zones \(zones): write two distances in metres, the smaller first, as in 0.5,3")
    }
    settings.borders = ZoneBorders(immediate: borders[0], near: borders[1])
    guard (0...30).contains(hysteresis) else {
      throw RSSIError(.usage, "--hysteresis \(hysteresis): write 0 to 30 dB")
    }
    settings.hysteresis = hysteresis
    return settings
  }

  /// Nanoseconds; "scans" alone are two of them, as monitors of beacons have it.
  private func exitTime(_ period: Int64) throws -> Int64 {
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
    return scans * period
  }

  func chain() throws -> [FilterSpecification] {
    if filter == ["none"] { return [] }
    let chain = try (filter.isEmpty ? ["kalman"] : filter).map {
      text throws(RSSIError) in try FilterSpecification(text)
    }
    if let late = chain.first(where: { !$0.kind.isCausal }) {
      throw RSSIError(
        .usage,
        "--filter \(late.name) answers from what comes later, and what is near is asked now: take "
          + "a causal one, such as kalman"
      )
    }
    return chain
  }
}
