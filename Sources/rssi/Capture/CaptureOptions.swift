import Advertising
import ArgumentParser
import Capture
import Filtering

/// When a capture ends and begins new files.
struct LimitOptions: ParsableArguments {
  @Option(help: "End after this time, such as 30s, 10m, 8h.")
  var duration: String?

  @Option(help: "End after so many sightings.")
  var count: Int?

  @Option(help: "Begin a new file after this time or size, such as 1h or 1GB; names carry the time.")
  var rotate: String?

  @Option(help: "The most that a kill may cost (1s).")
  var flush = "1s"

  @Flag(help: "Leave the trace as it was written, for `rssi pack` to compress later.")
  var noPack = false

  func set(_ plan: inout CapturePlan) throws {
    plan.duration = try duration.map { try time($0, "--duration") }
    plan.flushPeriod = try time(flush, "--flush")
    plan.count = count
    plan.packs = !noPack
    if let count, count <= 0 { throw Failure(Failure.usage, "--count \(count) is no number of sightings") }
    plan.rotation = try rotate.map { try Rotation($0) }
    if rotate != nil, plan.output == nil {
      throw Failure(Failure.usage, "--rotate needs a file: -o - is a stream")
    }
  }
}

/// Which reports to keep.
struct SelectionOptions: ParsableArguments {
  @Option(help: "Keep this beacon: UUID[:MAJOR[:MINOR]], or an identity such as eddystone-uid:…; may be repeated.")
  var beacon: [String] = []

  @Option(help: "Keep this kind: ibeacon, altbeacon, eddystone-uid, …; may be repeated.")
  var kind: [String] = []

  @Option(help: "Keep this device address; may be repeated.")
  var address: [String] = []

  @Option(
    name: .customLong("min-rssi"), parsing: .unconditional,
    help: "Keep levels of at least this, in dBm; biases path-loss fits.")
  var minimumRSSI: Float?

  func selection() throws -> Selection {
    var selection = Selection()
    selection.beacons = try beacon.map { text in
      guard let pattern = BeaconPattern(text) else {
        throw Failure(
          Failure.usage,
          "\"\(text)\" is no beacon: write UUID, UUID:MAJOR, UUID:MAJOR:MINOR or an identity as `rssi export` prints it"
        )
      }
      return pattern
    }
    selection.kinds = Set(
      try kind.map { text in
        guard let kind = BeaconKind(rawValue: text) else {
          throw Failure(
            Failure.usage,
            "\"\(text)\" is no kind: choose from "
              + BeaconKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return kind
      })
    selection.addresses = Set(
      try address.map { text in
        guard let address = DeviceAddress(text) else {
          throw Failure(Failure.usage, "\"\(text)\" is no address: write AA:BB:CC:DD:EE:FF")
        }
        return address.bits
      })
    selection.minimumRSSI = minimumRSSI
    return selection
  }
}

/// What a person knows while capturing.
struct LabelOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Where the receiver is: x,y or x,y,z in metres.")
  var at: String?

  @Option(parsing: .unconditional, help: "How far the beacons are from the receiver, such as 2m.")
  var distance: String?

  @Option(
    parsing: .unconditionalSingleValue, help: "Where a beacon is: IDENTITY=x,y,z, or x,y,z of the one --beacon; may be repeated.")
  var beaconAt: [String] = []

  @Option(help: "How the device is held.")
  var pose = ""

  @Option(help: "A note for the file.")
  var note = ""

  @Option(help: "Name of the receiver (default: that of the source).")
  var receiver: String?

  @Option(help: "Name of the trace (default: that of the file).")
  var trace: String?

  func labels(beacons: [BeaconPattern]) throws -> Labels {
    var labels = Labels()
    labels.receiver = try at.map { try Labels.place($0) }
    labels.distance = try distance.map { try Labels.distance($0) }
    labels.beacons = try beaconAt.map { try Labels.beaconPlace($0, of: beacons) }
    labels.pose = pose
    for (name, text, width) in [("--pose", pose, 64), ("--receiver", receiver ?? "", 128), ("--trace", trace ?? "", 128)]
    where text.utf8.count > width {
      throw Failure(Failure.usage, "\(name) \"\(text)\" is longer than \(width) bytes: shorten it")
    }
    return labels
  }
}

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
        throw Failure(Failure.usage, "\"\(name)\" is no physical layer: write 1m, coded or 1m,coded")
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
      throw Failure(
        Failure.usage,
        "a scan interval is 2.5ms to 10.24s, and its window no longer: \(interval) and \(window ?? interval) are not")
    }
    return settings
  }
}

/// What only some sources need.
struct SourceOptions: ParsableArguments {
  @Option(help: "replay: so many times as fast as recorded, or max.")
  var speed = "1"

  @Option(help: "mqtt: the gateways' dialect, where topic and content do not tell it.")
  var dialect: String?

  @Option(
    name: .customLong("cafile"), help: "mqtts: the authority's certificate (default: those of the system).")
  var caFile: String?

  @Option(help: "mqtt: who to log in as; the password is in --password-file or RSSI_MQTT_PASSWORD.")
  var user: String?

  @Option(help: "mqtt: a file that holds the password and nobody else may read.")
  var passwordFile: String?

  @Option(help: "mqtt: a name that stays, so that the broker keeps messages while this program is away.")
  var clientID: String?

  func gateways() throws -> MQTTOptions {
    var options = MQTTOptions()
    options.dialect = try dialect.map { name in
      guard let dialect = Dialect(rawValue: name) else {
        throw Failure(
          Failure.usage,
          "--dialect \(name) is unknown: choose from "
            + Dialect.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return dialect
    }
    (options.caFile, options.userName) = (caFile, user)
    (options.passwordFile, options.clientID) = (passwordFile, clientID)
    return options
  }

  func replaySpeed() throws -> Double {
    if speed == "max" { return .infinity }
    guard let factor = Double(speed.hasSuffix("x") ? speed.dropLast() : speed[...]), factor > 0 else {
      throw Failure(Failure.usage, "--speed \(speed) is no speed: write 1, 10 or max")
    }
    return factor
  }
}

/// Nanoseconds of an option that is a time.
private func time(_ text: String, _ option: String) throws -> Int64 {
  guard let value = duration(text), value > 0 else {
    throw Failure(Failure.usage, "\(option) \"\(text)\" is no time: write 500ms, 10s, 5m or 1h")
  }
  return value
}
