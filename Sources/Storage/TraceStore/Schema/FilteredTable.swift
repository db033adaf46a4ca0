internal import CHDF5
import Support

/// `/filtered/NAME`: levels and variances of one filter, row for row with the sightings.
struct FilteredTable {
  let group: Table
  let rssi: Column<Float>
  let variance: Column<Float>

  init(name: String, in file: Handle, mode: Table.Mode, path: String) throws(RSSIError) {
    group = try Table(
      "filtered/\(name)", in: file, mode: mode, path: path, isLong: true, limit: 1 << 48)
    rssi = try group.column(
      "rssi_dbm", Float.self, units: "dBm", missing: .nan,
      "Filtered level; NaN where there was none to filter")
    variance = try group.column(
      "variance_db2", Float.self, units: "dB2", missing: .nan,
      "Variance of the level; NaN where the filter has none")
  }
}
