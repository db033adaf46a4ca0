import Foundation
import TestSupport
import Testing

/// A gateway of Ruuvi's kind whose messages are distinguished by the major number of an iBeacon.
struct NumberedGateway {
  private let uuid = "FDA50693-A4E2-4FB1-AFCF-C6EB07647825"

  func message(_ number: Int) -> String {
    let major = String(number + 0x10000, radix: 16).dropFirst()
    let data = "0201061AFF4C000215\(uuid.filter { $0 != "-" })\(major)0001C5"
    return #"{"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-60,"data":"\#(data)"}"#
  }

  /// The beacon of a message.
  func beacon(_ number: Int) -> String { "ibeacon:\(uuid):\(number):1" }

  /// Returns the number of sightings of each beacon in some traces of a folder.
  func received(in names: [String], of folder: TemporaryDirectory) throws -> [String: Int] {
    var received: [String: Int] = [:]
    for name in names {
      let rows = try rssi("export", folder.path(name))
      try #require(rows.exitCode == 0, "\(rows.error)")
      for line in rows.output.split(separator: "\n") {
        let beacon = try #require(try json(String(line))["beacon"] as? String)
        received[beacon, default: 0] += 1
      }
    }
    return received
  }
}
