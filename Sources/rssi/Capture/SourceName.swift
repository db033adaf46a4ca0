import Support

/// Where to listen, as the command line writes it.
enum SourceName: Equatable, CustomStringConvertible {
  /// Raw socket of an adapter; nil = the first that there is.
  case adapter(UInt16?)
  /// User channel of an adapter, exclusive.
  case userChannel(UInt16)
  case monitor
  /// A controller that speaks H4: `tcp:HOST:PORT`, `unix:PATH` or a serial line.
  case h4(String)
  case mqtt(String)
  case replay(String)

  init(_ text: String) throws {
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
    } else if text.hasPrefix("mqtt://") || text.hasPrefix("mqtts://") {
      self = .mqtt(text)
    } else if text.hasPrefix("replay:"), text.count > 7 {
      self = .replay(String(text.dropFirst(7)))
    } else {
      throw RSSIError(
        .usage,
        "\"\(text)\" is no source: name hci0, user:0, monitor, h4:tcp:HOST:PORT, h4:unix:PATH, "
          + "h4:/dev/ttyACM0, mqtt://HOST/TOPIC or replay:FILE"
      )
    }
  }

  private static func index(_ text: Substring) -> UInt16? {
    UInt16(text) ?? (text.hasPrefix("hci") ? UInt16(text.dropFirst(3)) : nil)
  }

  var description: String {
    switch self {
    case .adapter(let index?): "hci\(index)"
    case .adapter(nil): "hci"
    case .userChannel(let index): "user:\(index)"
    case .monitor: "monitor"
    case .h4(let address): "h4:\(address)"
    case .mqtt(let url): url
    case .replay(let file): "replay:\(file)"
    }
  }

  var isReplay: Bool {
    if case .replay = self { true } else { false }
  }

  /// In words, where the times come from.
  var clock: String {
    switch self {
    case .adapter, .userChannel, .monitor: "kernel: when the event entered the host, system clock"
    case .h4: "host: when the event was read, system clock"
    case .mqtt: "gateways' own clocks, or the arrival of the message: see /receivers/time_kind"
    case .replay: "as recorded"
    }
  }
}
