import Advertising
import PathLoss
import Sightings
import Support
package import TracePipelines

/// The calibrated beacons as a table of nodes (CSV), with what flashing tools need beside it; those
/// without a measured power are left out, and what to flash is empty where the power is too
/// uncertain.
///
/// Coordinates are empty: the beacons have no places yet.
package struct BeaconTable {
  private static let columns = [
    "node", "role", "x_m", "y_m", "z_m", "kind", "uuid", "major", "minor", "namespace", "instance",
    "measured_power_dbm", "measured_power_byte_hex", "eddystone_tx_power_dbm",
  ]

  private let beacons: [CalibratedBeacon]

  package init(_ beacons: [CalibratedBeacon]) { self.beacons = beacons }

  package var text: String {
    ([Self.columns] + beacons.compactMap(row)).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private func row(_ beacon: CalibratedBeacon) -> [String]? {
    guard let power = beacon.power else { return nil }
    let identity = BeaconPattern(beacon.beacon)?.identity
    var parts = ["", "", "", "", ""]
    switch identity {
    case .iBeacon(let uuid, let major, let minor):
      parts[0...2] = ["\(uuid)", String(major), String(minor)]
    case .eddystoneUID(let namespace, let instance): parts[3...4] = ["\(namespace)", "\(instance)"]
    default: break
    }
    return [CSV.text(beacon.beacon), "beacon", "", "", "", (identity?.kind ?? .other).rawValue]
      + parts + [
        decimal(power.mean, 2), beacon.advertised?.hexadecimal ?? "",
        beacon.advertised?.eddystone.map { String($0) } ?? "",
      ]
  }
}
