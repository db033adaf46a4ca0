internal import Advertising
package import Sightings

/// A sink that writes sightings as messages in the dialect `rssi`, block by block, for a publisher.
///
/// Payloads are kept as long as the rows of one builder may refer to them.
package struct PublishedRows: SightingSink {
  package let publisher: StreamPublisher
  /// The payloads so far, in sequence, and the end of each.
  private var payloadBytes: [UInt8] = []
  private var payloadEnds: [Int] = []
  /// The radios that were published.
  private var radios: [Radio] = []
  private var gaps = 0
  private var rejected: [String: UInt64] = [:]

  /// The numbers of addresses and of payload bytes after which the tables should start afresh.
  private static let (mostAddresses, mostBytes) = (65_536, 16 << 20)

  package init(_ publisher: StreamPublisher) { self.publisher = publisher }

  /// Returns a Boolean value that is true if the tables are so large that a new builder is due.
  package func isLarge(_ catalogue: Catalogue) -> Bool {
    catalogue.advertisers.count >= Self.mostAddresses || payloadBytes.count >= Self.mostBytes
      || catalogue.gaps.count >= Self.mostAddresses
  }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    payloadBytes += payloads.bytes
    for length in payloads.lengths {
      payloadEnds.append((payloadEnds.last ?? 0) + Int(length))
    }
    var messages: [UInt16: RSSIMessage] = [:]
    for row in 0..<rows.count {
      let receiver = rows.receiver[row]
      messages[receiver, default: message(of: Int(receiver), catalogue)].append(
        report(rows, row, catalogue))
      guard messages[receiver]?.isFull == true else { continue }
      if let message = messages.removeValue(forKey: receiver) { publisher.append(message) }
    }
    for (_, message) in messages.sorted(by: { $0.key < $1.key }) { publisher.append(message) }
  }

  /// Publishes changes of the tables without rows.
  package mutating func update(_ catalogue: Catalogue) {
    var messages: [Int: RSSIMessage] = [:]
    for (index, receiver) in catalogue.receivers.enumerated()
    where index >= radios.count || !Radio.isSame(radios[index], receiver.radio) {
      messages[index] = message(of: index, catalogue)
      if index < radios.count {
        radios[index] = receiver.radio
      } else {
        radios.append(receiver.radio)
      }
    }
    for gap in catalogue.gaps[gaps...] {
      messages[Int(gap.receiver), default: message(of: Int(gap.receiver), catalogue)].losses.append(
        Loss(
          adapter: 0, reason: gap.reason, start: gap.start, end: gap.end, dropped: gap.dropped))
    }
    gaps = catalogue.gaps.count
    let news = catalogue.rejected.compactMap { row in
      let count = row.count - rejected[row.reason, default: 0]
      return count > 0 ? Rejected(reason: row.reason, count: count) : nil
    }
    // Refusals belong to the trace, not to one receiver.
    if !news.isEmpty, !catalogue.receivers.isEmpty {
      messages[0, default: message(of: 0, catalogue)].rejected = news
      for row in news { rejected[row.reason, default: 0] += row.count }
    }
    for (_, message) in messages.sorted(by: { $0.key < $1.key }) { publisher.append(message) }
  }

  private func message(of receiver: Int, _ catalogue: Catalogue) -> RSSIMessage {
    let node = catalogue.receivers[receiver]
    return RSSIMessage(receiver: node.id, radio: node.radio)
  }

  private func report(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> RSSIMessage.Report {
    let (payload, advertiser) = (rows.payload[row], rows.advertiser[row])
    guard payload != Sighting.none, advertiser != Sighting.none else {
      let beacon = catalogue.beacons[Int(rows.beacon[row])]
      var sighting = GatewaySighting(
        time: rows.time[row], adapter: 0, beacon: beacon.id, rssi: rows.rssi[row])
      sighting.measuredPower = beacon.measuredPower
      sighting.channel = rows.channel[row]
      sighting.angle = rows.angle(row)
      return .name(sighting)
    }
    let report = rows[row].report(from: catalogue.advertisers[Int(advertiser)])
    let start = payload == 0 ? 0 : payloadEnds[Int(payload) - 1]
    return .data(report, Array(payloadBytes[start..<payloadEnds[Int(payload)]]))
  }
}
