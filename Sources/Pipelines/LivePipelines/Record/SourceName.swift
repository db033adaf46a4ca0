import Recordings
package import Sightings
package import Support
import TracePipelines
import TraceStore

/// Where to listen, as users write it and as traces name the adapter of a receiver.
package enum SourceName: Equatable, Sendable, CustomStringConvertible {
  /// Raw socket of an adapter; nil = the first one.
  case adapter(UInt16?)
  /// User channel of an adapter, exclusive.
  case userChannel(UInt16)
  case monitor
  /// A controller that speaks H4: `tcp:HOST:PORT`, `unix:PATH` or a serial line.
  case h4(String)
  case mqtt(String)
  /// An anchor of u-blox at a serial line or a socket, as `h4` has it.
  case uBlox(String)
  /// A stream of a NATS server.
  case nats(String)
  case replay(String)

  /// - Throws: `RSSIError` of kind `usage` for text of any other form.
  package init(_ text: String) throws(RSSIError) {
    if text == "hci" {
      self = .adapter(nil)
    } else if text.hasPrefix("hci"), let index = UInt16(text.dropFirst(3)) {
      self = .adapter(index)
    } else if text.hasPrefix("user:"), let index = Self.index(text.dropFirst(5)) {
      self = .userChannel(index)
    } else if text == "monitor" {
      self = .monitor
    } else if text.hasPrefix("h4:"), text.count > 3 {
      self = .h4(String(text.dropFirst(3)))
    } else if text.hasPrefix("u-blox:"), text.count > 7 {
      self = .uBlox(String(text.dropFirst(7)))
    } else if text.hasPrefix("mqtt://") || text.hasPrefix("mqtts://") {
      self = .mqtt(text)
    } else if text.hasPrefix("nats://") || text.hasPrefix("nats+tls://") {
      self = .nats(text)
    } else if text.hasPrefix("replay:"), text.count > 7 {
      self = .replay(String(text.dropFirst(7)))
    } else {
      throw RSSIError(
        .usage,
        "\"\(text)\" is not a source\(Self.hint(text)): name hci0, user:0, monitor, h4:tcp:HOST:PORT, "
          + "h4:unix:PATH, h4:/dev/ttyACM0, u-blox:/dev/ttyUSB0, mqtt://HOST/TOPIC, nats://HOST/STREAM or replay:FILE"
      )
    }
  }

  /// The kind of source that a text nearly begins with.
  private static func hint(_ text: String) -> String {
    let kind = String(text.prefix { $0 != ":" && !$0.isNumber })
    let kinds = [
      "hci", "user", "monitor", "h4", "u-blox", "mqtt", "mqtts", "nats", "nats+tls", "replay",
    ]
    return kinds.contains(kind) ? "" : didYouMean(kind, among: kinds)
  }

  private static func index(_ text: Substring) -> UInt16? {
    UInt16(text) ?? (text.hasPrefix("hci") ? UInt16(text.dropFirst(3)) : nil)
  }

  package var description: String {
    switch self {
    case .adapter(let index?): "hci\(index)"
    case .adapter(nil): "hci"
    case .userChannel(let index): "user:\(index)"
    case .monitor: "monitor"
    case .h4(let address): "h4:\(address)"
    case .uBlox(let address): "u-blox:\(address)"
    case .mqtt(let url), .nats(let url): url
    case .replay(let file): "replay:\(file)"
    }
  }

  /// The recording, or the folder of traces, that is replayed; nil for any other source.
  package var replayedFile: String? {
    if case .replay(let file) = self { file } else { nil }
  }

  package var isReplay: Bool { replayedFile != nil }

  /// The files that are replayed one after the other: of a folder its traces.
  ///
  /// - Throws: `RSSIError` for a folder without a trace.
  package func replayedFiles() throws(RSSIError) -> [String] {
    try replayedFile.map { path throws(RSSIError) in try inputFiles([path]) } ?? []
  }

  /// Whether its receivers are gateways, each at another place.
  package var isGateways: Bool {
    switch self {
    case .mqtt, .nats, .uBlox: true
    default: false
    }
  }

  /// What a file in a folder is called after.
  var fileStem: String {
    switch self {
    case .adapter, .userChannel, .monitor: description.replacing(":", with: "-")
    case .h4: "h4"
    case .mqtt: "mqtt"
    case .uBlox: "u-blox"
    case .nats(let url): url.split(separator: "/").dropFirst(2).joined(separator: "-")
    case .replay(let file): Recordings.fileStem(file)
    }
  }

  /// The files that it reads.
  ///
  /// - Throws: `RSSIError` for a file that cannot be replayed.
  package func readFiles() throws -> [String] {
    let files = try replayedFiles()
    for file in files { _ = try InputKind(path: file) }
    return files
  }

  /// The tables of a trace that is replayed, whose nodes may have places; empty for all else.
  ///
  /// - Throws: `RSSIError` for a file that cannot be replayed.
  package func recordedNodes() throws -> Catalogue {
    guard let file = try replayedFiles().first, case .trace = try InputKind(path: file) else {
      return Catalogue()
    }
    return try TraceReader(path: file).catalogue
  }

  /// Where the times come from, for a reader of the trace.
  var clockDescription: String {
    switch self {
    case .adapter, .userChannel, .monitor: "kernel: when the event entered the host, system clock"
    case .h4: "host: when the event was read, system clock"
    case .mqtt, .nats, .uBlox:
      "gateways' own clocks, or the arrival of the message: see /receivers/time_kind"
    case .replay: "as recorded"
    }
  }
}
