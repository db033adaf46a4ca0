import Capture
import Recordings
import Sightings
import Support

/// A kind of source, declared once: its names, its description in traces, and the way to open it.
///
/// A new kind needs a `CaptureSource` in Capture, its declaration here, and its place in `all`.
struct SourceKind: Sendable {
  /// The origin of the reports of a source.
  enum Origin: Sendable {
    /// Radios of this machine, or controllers at a serial line.
    case radio
    /// Gateways, each at another place.
    case gateways
    case recording
  }

  /// The way to open a source.
  enum Opening: Sendable {
    /// A controller, which can also advertise.
    case controller(@Sendable (SourceName) -> Controller)
    /// - Parameters:
    ///   - clock: the clock by which a recording is replayed.
    ///   - positions: the places in streams that traces have reached; nil keeps none.
    case source(
      @Sendable (_ request: SourceRequest, _ clock: MachineClock, _ positions: StreamPositions?)
        throws -> any CaptureSource & ~Copyable)
  }

  /// The prefixes of its names, such as `h4:`, before the address.
  var prefixes: [String]
  /// Its names as messages list them.
  var examples: [String]
  var origin: Origin
  /// The description of its clock, for a reader of the trace.
  var clock: String
  /// Reads an address in its shortest form; returns nil for any other text.
  var address: @Sendable (Substring) -> String? = { $0.isEmpty ? nil : String($0) }
  /// Returns the stem of its file names in a folder.
  var stem: @Sendable (SourceName) -> String = { $0.description.replacing(":", with: "-") }
  var opening: Opening

  static let all = [adapter, userChannel, monitor, h4, uBlox, mqtt, nats, replay]

  /// Returns the names of some kinds, for messages.
  static func names(of kinds: [SourceKind]) -> String {
    let names = kinds.flatMap(\.examples)
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }

  /// The kinds that can advertise.
  static var controllers: [SourceKind] {
    all.filter { if case .controller = $0.opening { true } else { false } }
  }

  private static let kernelClock = "kernel: when the event entered the host, system clock"
  private static let gatewayClock =
    "gateways' own clocks, or the arrival of the message: see /receivers/time_kind"

  /// An adapter that is shared with other programs; without a number the first one.
  static let adapter = SourceKind(
    prefixes: ["hci"], examples: ["hci0"], origin: .radio, clock: kernelClock,
    address: { $0.isEmpty ? "" : UInt16($0).map { "\($0)" } },
    opening: .controller { .adapter(UInt16($0.address)) })

  /// An adapter for this program alone.
  static let userChannel = SourceKind(
    prefixes: ["user:"], examples: ["user:0"], origin: .radio, clock: kernelClock,
    address: { text in
      (UInt16(text) ?? (text.hasPrefix("hci") ? UInt16(text.dropFirst(3)) : nil)).map { "\($0)" }
    },
    opening: .controller { .userChannel(UInt16($0.address) ?? 0) })

  /// The reports that other programs receive, on all adapters.
  static let monitor = SourceKind(
    prefixes: ["monitor"], examples: ["monitor"], origin: .radio, clock: kernelClock,
    address: { $0.isEmpty ? "" : nil },
    opening: .source { request, _, _ in try MonitorSource(silence: request.scanning.silence) })

  /// A controller that speaks H4.
  static let h4 = SourceKind(
    prefixes: ["h4:"], examples: ["h4:tcp:HOST:PORT", "h4:unix:PATH", "h4:/dev/ttyACM0"],
    origin: .radio, clock: "host: when the event was read, system clock", stem: { _ in "h4" },
    opening: .controller { .h4($0.address) })

  /// An anchor of u-blox at a serial line or a socket, as for `h4`.
  static let uBlox = SourceKind(
    prefixes: ["u-blox:"], examples: ["u-blox:/dev/ttyUSB0"], origin: .gateways,
    clock: gatewayClock, stem: { _ in "u-blox" },
    opening: .source { request, _, _ in try LineSource(address: request.name.address) })

  /// Gateways behind an MQTT broker; the whole name is the URL.
  static let mqtt = SourceKind(
    prefixes: ["mqtt://", "mqtts://"], examples: ["mqtt://HOST/TOPIC"], origin: .gateways,
    clock: gatewayClock, address: { String($0) }, stem: { _ in "mqtt" },
    opening: .source { request, _, _ in
      try MQTTSource(url: request.name.description, options: request.gateways)
    })

  /// Gateways whose messages a NATS server keeps in a stream; the whole name is the URL.
  static let nats = SourceKind(
    prefixes: ["nats://", "nats+tls://"], examples: ["nats://HOST/STREAM"], origin: .gateways,
    clock: gatewayClock, address: { String($0) },
    stem: { $0.description.split(separator: "/").dropFirst(2).joined(separator: "-") },
    opening: .source { request, _, positions in
      try NATSSource(
        url: request.name.description, options: request.gateways, since: request.since,
        positions: positions)
    })

  /// A recording, or the traces of a folder.
  static let replay = SourceKind(
    prefixes: ["replay:"], examples: ["replay:FILE"], origin: .recording, clock: "as recorded",
    stem: { fileStem($0.address) },
    opening: .source { request, clock, _ in
      ReplaySource(files: try request.name.replayedFiles(), speed: request.speed, clock: clock)
    })
}
