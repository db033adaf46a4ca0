import ArgumentParser
import Capture
import Support

/// Options of scanning.
struct ScanOptions: ParsableArguments {
  @Flag(help: "Active scanning: request scan responses, which transmits.")
  var active = false

  @Option(
    help: ArgumentHelp(
      "Physical layers: 1m, coded or 1m,coded; with two, the scanner alternates.", valueName: "phys"
    ))
  var phy = "1m"

  @Option(
    help: ArgumentHelp("Scan interval: time from one scan window to the next.", valueName: "time"))
  var interval = "60ms"

  @Option(
    help: ArgumentHelp(
      "Scan window in each interval (default: the whole interval).", valueName: "time"))
  var window: String?

  @Option(
    help: ArgumentHelp("Restart scanning after this time without an event.", valueName: "time"))
  var silence = "10s"

  @Flag(help: "Wait for an adapter that is missing instead of exiting with code 69.")
  var wait = false

  func settings() throws -> ScanSettings {
    var settings = ScanSettings()
    settings.isActive = active
    settings.phys = try phy.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let phy = ScanSettings.PHY(rawValue: name.lowercased()) else {
        throw RSSIError(
          .usage, "\"\(name)\" is not a physical layer: write 1m, coded or 1m,coded")
      }
      return phy
    }
    settings.interval = try time(interval, "--interval") / .seconds(1)
    settings.window = try time(window ?? interval, "--window") / .seconds(1)
    settings.silence = try time(silence, "--silence") / .seconds(1)
    settings.waitsForAdapter = wait
    guard (0.0025...10.24).contains(settings.interval), settings.window >= 0.0025,
      settings.window <= settings.interval
    else {
      throw RSSIError(
        .usage,
        "a scan interval is 2.5ms to 10.24s, and its window no longer: \(interval) and "
          + "\(window ?? interval) are not"
      )
    }
    return settings
  }
}
