import Recordings
import Testing

@Suite("Columns that are called otherwise")
struct ColumnHintTests {
  private static let registry = [
    "name", "description", "x_m", "y_m", "z_m", "measured_power_dbm", "range_m",
  ]

  @Test(arguments: [
    ("x", "x_m"), ("X", "x_m"), ("posX", "x_m"), ("x_cm", "x_m"), ("y [cm]", "y_m"),
    ("xPos", "x_m"),
    ("pos_y", "y_m"), ("location.x", "x_m"), ("coordinates.y", "y_m"), ("Height", "z_m"),
    ("txPower", "measured_power_dbm"), ("tx_power", "measured_power_dbm"),
    ("TX Power (dBm)", "measured_power_dbm"), ("rssi@1m", "measured_power_dbm"),
    ("ref_power", "measured_power_dbm"), ("settings.txPower", "measured_power_dbm"),
    ("measured_pwer_dbm", "measured_power_dbm"), ("measuredPower", "measured_power_dbm"),
    ("radius", "range_m"), ("range_cm", "range_m"), ("nmae", "name"), ("alias", "name"),
    ("decription", "description"), ("lat", "x_m\" and \"y_m"), ("latLng.longitude", "x_m\" and"),
    ("GPS_lat", "x_m\" and"),
  ])
  func `are named`(_ name: String, _ column: String) throws {
    let words = try #require(ColumnHint.words(name, among: Self.registry), "\(name)")
    #expect(words.hasPrefix("did you mean \"\(column)"), "\(words)")
  }

  @Test(arguments: [
    "floor", "color", "colour", "zone", "owner", "battery", "tag", "room", "owner.name", "notes",
    "serial", "firmware", "type", "model", "", "id2", "area", "group", "y2k", "map.zoom",
  ])
  func `notes of the user are none`(_ name: String) {
    let words = ColumnHint.words(name, among: Self.registry)
    #expect(words == nil, "\(name): \(words ?? "")")
  }

  @Test func `tables of sightings ask for theirs`() {
    let columns = ["time_s", "receiver", "beacon", "rssi_dbm", "trace", "channel", "pose"]
    for (name, column) in [
      ("RSSI", "rssi_dbm"), ("rssi [dBm]", "rssi_dbm"), ("timestamp", "time_s"), ("mac", "beacon"),
      ("scanner", "receiver"), ("phone", "receiver"), ("time_ms", "time_s"), ("Beacon", "beacon"),
    ] { #expect(ColumnHint.column(name, among: columns) == column, "\(name)") }
    #expect(ColumnHint.column("Frame", among: columns) == nil)
  }
}
