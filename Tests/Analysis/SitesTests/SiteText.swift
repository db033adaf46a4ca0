import Sites

/// The site that a text describes.
func site(_ text: String) throws -> Site {
  try Site(toml: Array(text.utf8), path: "site.toml")
}

/// Returns the error message of a text that is not a site; nil for a site.
func problem(_ text: String) -> String? {
  do {
    _ = try site(text)
    return nil
  } catch {
    return "\(error)"
  }
}

/// A site with every table and key.
let wholeSite = """
  # A flat
  [[walls]]
  from = [0, 0]
  to = [4.5, 0]          # whole numbers are numbers
  kind = "brick"
  attenuation_db = 8.5

  [[walls]]
  points = [
    [0, 0], [0, -3],
    [1e1, -3.25],
  ]

  [[anchors]]
  node = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7"
  role = "beacon"
  x_m = 1
  y_m = 2.5
  z_m = -0.5
  measured_power_dbm = -59
  [[anchors]]
  node = 'hci0'
  role = "receiver"
  "x_m" = 3.0
  y_m = 0x10

  [[rooms]]
  name = "K\\u00fcche"
  polygon = [[0, 0], [4, 0], [4, 3], [0, 3], [0, 0]]

  [[spots]]
  name = "desk"
  x_m = 1.5
  y_m = 1.5
  z_m = 0.7
  note = \"\"\"
  the one
  by the \"\"window\"\".\"\"\"

  [[regions]]
  name = "shop"
  beacons = "e2c56db5-dffb-48d2-b060-d0f5a71096e0:1"
  zones = ["immediate", "near"]
  range_m = 1.5

  [[regions]]
  name = "all"

  [[floors]]
  name = "F1"
  height_m = 0
  shift = [1, -2.5]
  outline = [[0, 0], [9, 0], [9, 9]]

  [[connections]]
  kind = "door"
  rooms = ["outside", "K\\u00fcche"]
  place = [4, 1.5]
  """
