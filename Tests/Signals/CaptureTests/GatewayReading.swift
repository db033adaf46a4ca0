import Advertising
import Sightings

@testable import Capture

/// What a message says, in words that tests compare.
struct GatewayReading: Equatable {
  var gateway: String
  /// An address and a payload in hexadecimal, or a name.
  var beacon: String
  var rssi: Float
  var rssiKind = Radio.RSSIKind.raw
  var timeKind = Radio.TimeKind.arrival
  /// Nanoseconds since the Unix epoch.
  var time: Int64
  /// 255 = unknown.
  var channel: UInt8 = 255
}

/// Reads one message after another, as a capture does.
struct GatewayReadings {
  private var reader: GatewayReader
  private(set) var batch = GatewayBatch()

  init(dialect: Dialect? = nil) { reader = GatewayReader(dialect: dialect) }

  /// What a message says that arrived soon after the times in it.
  mutating func read(
    _ sample: GatewaySamples.Sample, arrival: Int64 = 0
  ) -> [GatewayReading] {
    read(Array(sample.text.utf8), topic: sample.topic, arrival: arrival)
  }

  mutating func read(
    _ payload: [UInt8], topic: String, arrival: Int64 = 0, isRetained: Bool = false
  ) -> [GatewayReading] {
    reader.read(
      BrokerMessage(
        topic: Array(topic.utf8), payload: payload, isRetained: isRetained, arrival: arrival),
      into: &batch)
    return batch.entries.map { entry in
      GatewayReading(
        gateway: String(decoding: batch.bytes[entry.gateway], as: UTF8.self),
        beacon: words(entry.beacon), rssi: entry.rssi, rssiKind: entry.rssiKind,
        timeKind: entry.timeKind, time: entry.time, channel: entry.channel)
    }
  }

  /// Why the rest of the last message is no sighting.
  var rejected: [String] { batch.rejected.map(\.rawValue) }

  private func words(_ beacon: GatewayBatch.Beacon) -> String {
    switch beacon {
    case .data(let address, let range, _, _):
      "\(address) " + batch.bytes[range].map { hexadecimal($0) }.joined()
    case .report(let report, let range):
      "\(report.address) " + batch.bytes[range].map { hexadecimal($0) }.joined()
    case .name(let name, _): name
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
