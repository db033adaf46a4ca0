import Foundation
import Sightings
import Testing

/// What Swift wrote, as JSON for Python to compare with; NaN is null.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct Expectation: Encodable {
  struct Place: Encodable {
    var id: String
    var x_m: Double?
    var measured_power_dbm: Double?
  }

  var time_ns: [Int64]
  var columns: [String: [Int64]]
  var rssi_dbm: [Double?]
  var beacons: [Place]
  var receivers: [Place]
  var traces: [String]
  var payloads: [[UInt8]]
  var truth_time_ns: [Int64]
  var truth_z_m: [Double?]
  var level_time_ns: [Int64]
  var level_link: [[Int64]]
  var level_dbm: [Float]
  var dwell_start_ns: [Int64]
  var dwell_distance_m: [Double]
  var filtered: [Double?]

  init(_ sample: SampleTrace, filtered: [Float] = []) {
    func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
    func places(_ nodes: [Node]) -> [Place] {
      nodes.map {
        Place(id: $0.id, x_m: known($0.x), measured_power_dbm: known(Double($0.measuredPower)))
      }
    }
    time_ns = sample.rows.time
    columns = [
      "beacon": sample.rows.beacon.map(Int64.init),
      "advertiser": sample.rows.advertiser.map(Int64.init),
      "receiver": sample.rows.receiver.map(Int64.init),
      "trace": sample.rows.trace.map(Int64.init),
      "event_type": sample.rows.eventType.map(Int64.init),
      "channel": sample.rows.channel.map(Int64.init),
      "primary_phy": sample.rows.primaryPHY.map(Int64.init),
      "secondary_phy": sample.rows.secondaryPHY.map(Int64.init),
      "sid": sample.rows.sid.map(Int64.init),
      "tx_power_dbm": sample.rows.txPower.map(Int64.init),
      "data_status": sample.rows.dataStatus.map(Int64.init),
      "payload": sample.rows.payload.map(Int64.init),
      "dwell": sample.rows.stay.map(Int64.init),
    ]
    rssi_dbm = sample.rows.rssi.map { known(Double($0)) }
    beacons = places(sample.catalogue.beacons)
    receivers = places(sample.catalogue.receivers)
    traces = sample.catalogue.traces
    payloads = sample.payloads
    truth_time_ns = sample.catalogue.truth.map(\.time)
    truth_z_m = sample.catalogue.truth.map { known($0.z) }
    level_time_ns = sample.catalogue.levels.map(\.time)
    level_link = sample.catalogue.levels.map {
      [Int64($0.beacon), Int64($0.receiver), Int64($0.trace)]
    }
    level_dbm = sample.catalogue.levels.map(\.rssi)
    dwell_start_ns = sample.catalogue.stays.map(\.start)
    dwell_distance_m = sample.catalogue.stays.map(\.distance)
    self.filtered = filtered.map { known(Double($0)) }
  }

  func write(to path: String) throws {
    try JSONEncoder().encode(self).write(to: URL(filePath: path))
  }
}
