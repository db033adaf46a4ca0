import Registries
import Support

/// The document of a JSON text.
func document(_ json: String) throws(RSSIError) -> RegistryDocument {
  try RegistryDocument(json: Array(json.utf8), name: "list.json")
}

let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

/// A list with one of everything.
let fullList = """
  {"format": "rssi-registry", "format_version": 1,
   "source": {"url": "https://example.org/list", "etag": "\\"a1\\"", "fetched": "2026-01-31T23:59:59Z", "sha256": "00"},
   "beacons": [
    {"id": "ibeacon:\(uuid):1:2", "name": "door", "description": "the \\"old\\" door – süd",
     "x_m": 1.5, "y_m": -2, "z_m": 2.1, "measured_power_dbm": -59.25, "range_m": 3, "notes": {"floor": "2", "battery": "2027"}},
    {"id": "eddystone-uid:00010203040506070809:0A0B0C0D0E0F", "name": "kiosk", "tx_power_0m_dbm": -18},
    {"id": "altbeacon:0102030405060708090A0B0C0D0E0F1011121314"},
    {"id": "addr:C0:FF:EE:00:00:01", "name": "tag"}
   ]}
  """
