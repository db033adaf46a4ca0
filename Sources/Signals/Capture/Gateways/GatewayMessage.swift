internal import Support

/// A message of a gateway: where it was published, what it states, when it arrived.
struct GatewayMessage {
  var topic: ArraySlice<UInt8>
  var json: JSONElement
  /// Nanoseconds since the Unix epoch.
  var arrival: Int64

  /// A level of the topic, counted from its end: 0 is the last; nil where there are not so many.
  func level(fromEnd position: Int) -> ArraySlice<UInt8>? {
    var rest = topic
    for _ in 0..<position {
      guard let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      rest = rest[..<slash]
    }
    return Self.lastLevel(of: rest)
  }

  /// The level before the last one of a name, such as the gateway before `BTtoMQTT`.
  func level(before name: StaticString) -> ArraySlice<UInt8>? {
    // Each level is looked at once: a topic may have 65,536 of them.
    var rest = topic
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
      let isNamed = rest[(slash + 1)...].elementsEqual(name.description.utf8)
      rest = rest[..<slash]
      if isNamed { return Self.lastLevel(of: rest) }
    }
    return nil
  }

  /// Whether the last level of the topic has a name.
  func ends(with name: StaticString) -> Bool {
    level(fromEnd: 0)?.elementsEqual(name.description.utf8) == true
  }

  private static func lastLevel(of topic: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let slash = topic.lastIndex(of: UInt8(ascii: "/")) else { return topic }
    return topic[(slash + 1)...]
  }
}
