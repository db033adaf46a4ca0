/// An encoder of advertising reports as the HCI events of a controller.
///
/// A legacy PDU without properties that only an extended report has becomes subevent 0x02, all else
/// subevent 0x0D, in fragments of 229 bytes. Properties that a report does not keep are encoded as
/// absent: no periodic advertising, no target address.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 7.7.65.2 and 7.7.65.13.
package enum HCIEventEncoder {
  /// The largest advertising data in one event of subevent 0x0D.
  static let fragmentLength = 229
  /// The largest data for which a report of subevent 0x02 fits into an event.
  static let legacyLength = 243

  /// Returns the events of one report, in order, each from its event code on.
  ///
  /// - Parameters:
  ///   - report: The report; its time and adapter are not part of an event.
  ///   - payload: The advertising data, of any length.
  package static func events(of report: AdvertisingReport, payload: Span<UInt8>) -> [[UInt8]] {
    if let type = legacyType(of: report), payload.count <= legacyLength {
      return [legacyEvent(of: report, type: type, payload: payload)]
    }
    var events: [[UInt8]] = []
    var offset = 0
    repeat {
      let end = min(offset + fragmentLength, payload.count)
      let status = end < payload.count ? 1 : report.dataStatus
      events.append(
        extendedEvent(of: report, status: status, data: payload.extracting(offset..<end)))
      offset = end
    } while offset < payload.count
    return events
  }

  /// Returns the legacy event type of a report that a legacy event can represent completely.
  private static func legacyType(of report: AdvertisingReport) -> UInt8? {
    guard report.primaryPHY == 1, report.secondaryPHY == 0, report.sid == 0xFF else { return nil }
    guard report.txPower == 127, report.dataStatus == 0 else { return nil }
    guard report.address.type <= 3 else { return nil }
    return LegacyEventType.legacy(report.eventType)
  }

  private static func legacyEvent(
    of report: AdvertisingReport, type: UInt8, payload: Span<UInt8>
  ) -> [UInt8] {
    var event: [UInt8] = [0x3E, UInt8(12 + payload.count), 0x02, 1, type, report.address.type]
    event += report.address.bits.bigEndianBytes.suffix(6).reversed()
    event.append(UInt8(payload.count))
    for index in payload.indices { event.append(payload[index]) }
    event.append(SignalStrength.encode(report.rssi))
    return event
  }

  private static func extendedEvent(
    of report: AdvertisingReport, status: UInt8, data: Span<UInt8>
  ) -> [UInt8] {
    let type = report.eventType & ~0x60 | UInt16(status & 3) << 5
    var event: [UInt8] = [0x3E, UInt8(26 + data.count), 0x0D, 1]
    event += type.bigEndianBytes.reversed()
    event.append(report.address.type)
    event += report.address.bits.bigEndianBytes.suffix(6).reversed()
    event += [report.primaryPHY, report.secondaryPHY, report.sid]
    event += [UInt8(bitPattern: report.txPower), SignalStrength.encode(report.rssi)]
    event += [UInt8](repeating: 0, count: 9)  // periodic interval, address it is directed to
    event.append(UInt8(data.count))
    for index in data.indices { event.append(data[index]) }
    return event
  }
}
