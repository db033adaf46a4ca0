internal import Advertising
internal import Sightings
internal import Support

/// room-assistant: a message per beacon, with the results of each of its instances.
///
///     room-assistant/entity/kitchen/bluetooth-low-energy-presence-sensor/ble-<tag>
///     {"entity":{"id":"ble-<tag>","measuredValues":{"kitchen":{"rssi":-61.3,…},…},
///      "distances":{"kitchen":{"lastUpdatedAt":"2021-07-20T09:59:14.347Z","distance":1.3,
///       "outOfRange":false},…},…},"diff":[…],"hasAuthority":true}
///
/// Levels are the output of a Kalman filter. Each message repeats every instance; one with the same
/// `lastUpdatedAt` as before is not counted again. `measuredPower` may be a setting, so it is
/// ignored. Source: room-assistant, bluetooth-low-energy.
struct RoomAssistantDialect: GatewayDialect {
  private var links = NameTable()
  /// The last time that was accepted, by link of an instance and a beacon.
  private var lastTimes: [Int64] = []

  func recognises(_ message: GatewayMessage) -> Bool {
    message.json["entity"]?["measuredValues"] != nil
      || message.json["entity"]?["distances"] != nil
  }

  mutating func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    guard let entity = message.json["entity"], let id = entity["id"]?.text,
      let values = entity["measuredValues"], let distances = entity["distances"]
    else { return batch.reject(.noSighting) }
    // Each is looked up in the other list.
    for list in [values, distances] {
      guard !list.children.dropFirst(Self.mostReceivers).contains(where: { _ in true }) else {
        return batch.reject(.tooManyReceivers)
      }
    }
    guard batch.admits(id) else { return }
    let name = Self.name(id)
    for value in values.children {
      let distance = distances.children.first { $0.name == value.name }
      if distance?["outOfRange"]?.kind == .true {
        batch.reject(.gone)
        continue
      }
      let time = GatewayTime(distance?["lastUpdatedAt"])
      guard batch.setGateway(value.name, rssiKind: .filtered) else { continue }
      if let time, isRepeated(value.name, id, time.time) { continue }
      batch.addName(name, rssi: value["rssi"], time: time)
    }
  }

  private static let mostReceivers = 256
  private static let mostLinks = 100_000

  /// Returns a Boolean value that is true for a repeated result of an instance and a beacon.
  private mutating func isRepeated(
    _ instance: ArraySlice<UInt8>, _ beacon: ArraySlice<UInt8>, _ time: Int64
  ) -> Bool {
    // Forgetting costs a few repeated sightings; remembering every passing beacon costs memory.
    if lastTimes.count == Self.mostLinks {
      links = NameTable()
      lastTimes.removeAll()
    }
    let key = Array(instance) + [0] + Array(beacon)
    let (link, isNew) = links.intern(key.span)
    if isNew { lastTimes.append(time) } else if lastTimes[link] == time { return true }
    lastTimes[link] = time
    return false
  }

  /// Returns the beacon's name: an iBeacon or an address if the tag is one.
  private static func name(_ id: ArraySlice<UInt8>) -> String {
    let tag = id.starts(with: "ble-".utf8) ? id.dropFirst(4) : id
    return BeaconText.joinedIBeacon(tag) ?? BeaconText.address(tag)
      ?? String(decoding: tag, as: UTF8.self)
  }
}
