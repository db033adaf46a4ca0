import ArgumentParser
import Capture
import Support

/// How a controller is asked to scan.
struct ScanOptions: ParsableArguments {
  @Flag(help: "Ask beacons for scan responses, which transmits.")
  var active = false

  @Option(help: "Physical layers, 1m or 1m,coded; two are listened to in turn.")
  var phy = "1m"

  @Option(help: "From one scan window to the next.")
  var interval = "60ms"

  @Option(help: "Listening in each interval (default: all of it).")
  var window: String?

  @Option(help: "Set up scanning anew after so long without any event.")
  var silence = "10s"

  @Flag(help: "Wait for an adapter that is gone, instead of ending with 69.")
  var wait = false

  func settings() throws -> ScanSettings {
    var settings = ScanSettings()
    settings.isActive = active
    settings.phys = try phy.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let phy = ScanSettings.PHY(rawValue: name.lowercased()) else {
        throw RSSIError(
          .usage, "\"\(name)\" is no physical layer: write 1m, coded or 1m,coded")
      }
      return phy
    }
    settings.interval = Double(try time(interval, "--interval")) / 1e9
    settings.window = Double(try time(window ?? interval, "--window")) / 1e9
    settings.silence = Double(try time(silence, "--silence")) / 1e9
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
