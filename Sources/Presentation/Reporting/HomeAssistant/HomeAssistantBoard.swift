import Advertising
package import LivePipelines
package import Proximity
package import Registries
import Sightings
package import Support
package import TracePipelines
package import TraceStore

/// Tracked nodes as devices of Home Assistant: the newest state and the announcements of each.
///
/// Located receivers are tracked, and beacons with a name or named by `node`. If strangers are
/// published, so are beacons with an identity. A bare address is not tracked: it may be that of a
/// phone. A device has one state topic, published at most once per second. Its entities are
/// announced with their first value.
///
/// Home Assistant keeps every device, so there are at most 200. A new device replaces the stranger
/// that was silent for longest, whose topics are emptied.
///
/// ```swift
/// let board = HomeAssistantBoard(names: names, tool: tool, prefix: "rssi") { topic, payload in
///   publisher.set(payload, at: topic)
/// }
/// ```
package final class HomeAssistantBoard: PositionSink, WatchOutput {
  /// Sets what a topic has.
  package typealias Publish = (_ topic: String, _ payload: String) -> Void

  private static let mostDevices = 200
  /// Nanoseconds of silence after which a stranger makes room for another one.
  private static let strangersSilence = 5 * second
  private static let second: Int64 = 1_000_000_000

  private var devices: [String: HomeAssistantDevice] = [:]
  /// The devices with a state that is not published yet.
  private var changed: Set<String> = []
  private var isFull = false
  private let announcement: HomeAssistantAnnouncement
  private let names: BeaconNames
  /// Beacons at known places, which are not tracked.
  private let fixed: WrittenBeacons
  /// The nodes that were asked for; empty = all.
  private let asked: Set<String>
  private let askedBeacons: WrittenBeacons
  /// A Boolean value that is true if beacons without a name are published.
  private let takesStrangers: Bool
  /// Nanoseconds without an answer after which a located node is away.
  private let absence: Int64
  private let log: any ActivityLog
  private let clock: MachineClock
  private let publish: Publish

  /// - Parameters:
  ///   - prefix: the prefix of the state topics; `PREFIX/status` is `online` or `offline`.
  ///   - fixed: beacons at known places, which are not tracked.
  ///   - asked: the nodes that are located; empty = all.
  ///   - takesStrangers: true if beacons without a name are published, too.
  ///   - epoch: nanoseconds between two positions.
  package init(
    names: BeaconNames, fixed: Set<String> = [], asked: Set<String> = [],
    takesStrangers: Bool = true, tool: ToolIdentity, prefix: String, epoch: Int64 = second,
    log: any ActivityLog, clock: MachineClock = .system, publish: @escaping Publish
  ) {
    (self.names, self.asked, self.takesStrangers) = (names, asked, takesStrangers)
    (self.fixed, askedBeacons) = (WrittenBeacons(fixed), WrittenBeacons(asked))
    (self.log, self.clock, self.publish) = (log, clock, publish)
    announcement = HomeAssistantAnnouncement(prefix: prefix, version: tool.version)
    absence = max(3 * epoch, 10 * Self.second)
  }

  // MARK: Positions

  package func receive(_ position: LocatedPosition) throws {
    let id = position.node.id
    let isKnown =
      position.node.role == .receiver || asked.contains(id) || askedBeacons.number(of: id) != nil
    let isNamed = names[id] != nil
    guard isKnown || isTracked(id, isNamed: isNamed),
      admit(
        id, called: names.short(id), isStranger: !isKnown && !isNamed, heard: position.time)
    else { return }
    change(id) { device in
      device.place = position.estimate == nil && position.room == nil ? nil : position
      device.placedAt = clock.monotonic()
      device.isLocated = true
      if position.floor != nil { device.isInBuilding = true }
    }
    publishDue()
  }

  package func receive(_ event: PlaceEvent) throws {}

  package func flush() throws {
    let now = clock.monotonic()
    for (id, device) in devices where device.place != nil && now - device.placedAt > absence {
      change(id) { $0.place = nil }
    }
    publishDue()
  }

  // MARK: Beacons

  package func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws {
    // Whether another receiver hears it, its next ranging shows.
    guard case .exit(let departure) = event.kind, departure != .zone,
      devices[beacon.id]?.link?.receiver == beacon.receiver
    else { return }
    change(beacon.id) { $0.link?.beacon.isHeard = false }
    publishDue()
  }

  package func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    var seen: Set<String> = []
    for ranged in rangings.flatMap(\.beacons) {
      let watched = beacon(ranged.link)
      // The nearest receiver comes first.
      guard
        devices[watched.id] != nil
          || isTracked(watched.id, isNamed: watched.name != nil, sentFrom: watched.sender),
        seen.insert(watched.id).inserted,
        admit(
          watched.id, called: watched.label, isStranger: watched.name == nil,
          heard: time &- Int64((ranged.silence * 1e9).rounded()))
      else { continue }
      change(watched.id) { device in
        device.link = (ranged, watched.receiver)
      }
    }
    publishDue()
  }

  package func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {}

  package var wantsRangings: Bool { true }

  package func tick() throws -> Bool {
    publishDue()
    return true
  }

  /// Publishes what waits, as nothing comes later.
  package func finish() throws { publishDue(waits: false) }

  private func isTracked(
    _ id: String, isNamed: Bool, sentFrom sender: UInt64? = nil
  ) -> Bool {
    if fixed.number(of: id, sentFrom: [sender].compactMap(\.self)) != nil { return false }
    if isNamed { return true }
    guard takesStrangers else { return false }
    return switch BeaconKind(identity: id) {
    case .iBeacon, .altBeacon, .eddystoneUID: true
    // An EID is another every few minutes unless a registry resolves it.
    case .eddystoneURL, .eddystoneTLM, .eddystoneEID, .other: false
    }
  }

  // MARK: Publishing

  /// Records that a node was received, and adds its device if there is none.
  ///
  /// If there is no room, a beacon with a name takes the place of the stranger that was silent
  /// for longest; a stranger does so once that one was silent for some seconds, so that a crowd
  /// does not take turns.
  ///
  /// - Parameter heard: nanoseconds since the Unix epoch.
  /// - Returns: false for a node that is left out.
  private func admit(
    _ id: String, called label: @autoclosure () -> String, isStranger: Bool, heard: Int64
  ) -> Bool {
    if devices[id] == nil {
      guard devices.count < Self.mostDevices || makesRoom(forStranger: isStranger, heard) else {
        if !isFull {
          log.warn("\(Self.mostDevices) devices are published; further ones are left out")
        }
        isFull = true
        return false
      }
      devices[id] = HomeAssistantDevice(id: id, label: label())
    }
    devices[id]?.isStranger = isStranger
    devices[id]?.heard = heard
    return true
  }

  /// Removes the stranger that was silent for longest, and empties its topics.
  private func makesRoom(forStranger isStranger: Bool, _ heard: Int64) -> Bool {
    let strangers = devices.values.lazy.filter(\.isStranger)
    guard let silent = strangers.min(by: { ($0.heard, $0.id) < ($1.heard, $1.id) }),
      !isStranger || heard &- silent.heard >= Self.strangersSilence
    else { return false }
    for entity in HomeAssistantEntity.allCases where silent.announced.contains(entity) {
      publish(announcement.message(of: entity, silent).topic, "")
    }
    if silent.published != nil { publish(announcement.stateTopic(silent), "") }
    devices[silent.id] = nil
    changed.remove(silent.id)
    return true
  }

  private func change(_ id: String, _ update: (inout HomeAssistantDevice) -> Void) {
    guard var device = devices[id] else { return }
    update(&device)
    devices[id] = device
    changed.insert(id)
  }

  /// Publishes changed states, at most one per second and device.
  private func publishDue(waits: Bool = true) {
    let now = clock.monotonic()
    for id in changed.sorted() {
      guard var device = devices[id] else { continue }
      if waits, let last = device.published, now - last < Self.second { continue }
      for entity in device.entities where device.announced.insert(entity).inserted {
        let message = announcement.message(of: entity, device)
        publish(message.topic, message.payload)
      }
      publish(announcement.stateTopic(device), device.state)
      device.published = now
      devices[id] = device
      changed.remove(id)
    }
  }
}
