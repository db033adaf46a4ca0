import Advertising
import Registries
import Support
import Testing

struct ListFormsTests {
  private static let iBeacon = "ibeacon:\(uuid):1:2"
  private static let eddystone = "eddystone-uid:00010203040506070809:0A0B0C0D0E0F"

  @Test(arguments: [
    (#"{"id": "ibeacon:\#(uuid):1:2"}"#, iBeacon),
    (#"{"uuid": "\#(uuid)", "major": 1, "minor": 2}"#, iBeacon),
    (
      #"{"proximityUUID": "e2c56db5dffb48d2b060d0f5a71096e0", "Major": "1", "minor": "2", "id": 17}"#,
      iBeacon
    ),
    (#"{"advertisedId": {"type": "IBEACON", "id": "4sVttd/7SNKwYND1pxCW4AABAAI="}}"#, iBeacon),
    (#"{"namespace": "00010203040506070809", "instance": "0a0b0c0d0e0f"}"#, eddystone),
    (
      #"{"namespaceId": "0x00010203040506070809", "instanceId": "0A0B0C0D0E0F", "address": "C0:FF:EE:00:00:01"}"#,
      eddystone
    ),
    (#"{"namespace": "AAECAwQFBgcICQ==", "instance": "CgsMDQ4P"}"#, eddystone),
    (#"{"advertisedId": {"type": "EDDYSTONE", "id": "AAECAwQFBgcICQoLDA0ODw=="}}"#, eddystone),
    (
      #"{"advertisedId": {"type": "EDDYSTONE_EID", "id": "AAECAwQFBgc="}}"#,
      "eddystone-eid:0001020304050607"
    ),
    (
      #"{"node": "altbeacon:0102030405060708090A0B0C0D0E0F1011121314", "role": "beacon"}"#,
      "altbeacon:0102030405060708090A0B0C0D0E0F1011121314"
    ),
    (#"{"mac": "C0:FF:EE:00:00:01"}"#, "addr:C0:FF:EE:00:00:01"),
  ])
  func `reads identities`(entry: String, identity: String) throws {
    let list = try document("[\(entry)]")
    #expect(list.refused == [])
    #expect(list.beacons.map { "\($0.identity)" } == [identity])
  }

  @Test func `reads everything of a document`() throws {
    let list = try document(fullList)
    #expect(list.refused == [])
    #expect(list.source?.etag == "\"a1\"")
    let registry = list.registry
    let door = try #require(registry[id: "ibeacon:\(uuid):1:2"])
    #expect(door.name == "door")
    #expect(door.description == "the \"old\" door – süd")
    #expect([door.x, door.y, door.z] == [1.5, -2, 2.1])
    #expect(door.measuredPower == -59.25)
    #expect(door.range == 3)
    #expect(door.notes == ["floor": "2", "battery": "2027"])
    // Eddystone transmits the power at 0 m, 41 dB above that at 1 m.
    #expect(registry[id: Self.eddystone]?.measuredPower == -59)
  }

  /// As the app of a published system downloads it: a bare list, a threshold, a title.
  @Test func `keeps what it does not know`() throws {
    let list = try document(
      #"[{"namespace": "00010203040506070809", "instance": "0a0b0c0d0e0f", "title": "kiosk", "rangeThreshold": 2.5, "url": "https://example.org", "latLng": {"latitude": 48.5, "longitude": null}, "tags": ["a", {"b": true}], "status": "ACTIVE"}]"#
    )
    let kiosk = try #require(list.beacons.first)
    #expect(kiosk.name == "kiosk")
    #expect(kiosk.range == 2.5)
    #expect(
      kiosk.notes == [
        "url": "https://example.org", "latLng.latitude": "48.5", "tags.0": "a", "tags.1.b": "true",
        "status": "ACTIVE",
      ])
  }

  @Test(arguments: [
    (#"{"name": "door"}"#, "no identity: give"),
    (#"{"id": "door"}"#, "expected ibeacon:"),
    (#"{"id": "ibeacon:\#(uuid):1"}"#, "expected ibeacon:"),
    (#"{"uuid": "12", "major": 1, "minor": 2}"#, "32 hexadecimal digits"),
    (#"{"uuid": "\#(uuid)", "major": 1, "minor": 65536}"#, "0 to 65535"),
    (#"{"uuid": "\#(uuid)", "major": 1.5, "minor": 2}"#, "0 to 65535"),
    (#"{"uuid": "\#(uuid)", "major": 1}"#, "0 to 65535"),
    (#"{"namespace": "0001", "instance": "0a0b0c0d0e0f"}"#, "10 and 6 bytes"),
    (#"{"advertisedId": {"type": "EDDYSTONE", "id": "AAEC"}}"#, "base64"),
    (#"{"advertisedId": {"type": "CARRIER_PIGEON", "id": "AAEC"}}"#, "unknown advertisedId.type"),
    (
      #"{"id": "addr:C0:FF:EE:00:00:01", "uuid": "\#(uuid)", "major": 1, "minor": 2}"#,
      "two identities"
    ),
    (#"{"id": "eddystone-url:http://a\u001b[31m"}"#, "plain ASCII"),
    (#"{"mac": "C0:FF", "name": "tag"}"#, "AA:BB:CC:DD:EE:FF"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "x_m": 1}"#, "one of x_m and y_m"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "x_m": 1, "y_m": 2000000}"#, "1000 km"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "x_m": 1, "y_m": 1e999}"#, "not a number"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "x_m": "nan", "y_m": 1}"#, "not a number"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "measured_power_dbm": -128}"#, "-127 and 20"),
    (
      #"{"id": "addr:C0:FF:EE:00:00:01", "measured_power_dbm": -59, "tx_power_0m_dbm": -10}"#,
      "contradict"
    ),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "range_m": 0}"#, "above 0 m"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "range_m": "3 m"}"#, "not a number"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "name": "a", "name": "b"}"#, "duplicate field"),
    (#"{"id": "addr:C0:FF:EE:00:00:01", "role": "lamp"}"#, "role must be"),
    (#""door""#, "expected an object"),
  ])
  func `gives the reason for a refused entry`(entry: String, reason: String) throws {
    let list = try document(#"[{"id": "addr:C0:FF:EE:00:00:02"}, \#(entry)]"#)
    #expect(list.beacons.count == 1)
    #expect(list.refused.map(\.place) == ["entry 2"])
    #expect(list.refused.first?.reason.contains(reason) == true, "\(list.refused)")
  }

  @Test func `refuses texts that are too long`() throws {
    let long = String(repeating: "é", count: 65)
    let list = try document(#"[{"id": "addr:C0:FF:EE:00:00:01", "name": "\#(long)"}]"#)
    #expect(list.refused.first?.reason == "name has 130 bytes (at most 128)")
  }

  @Test(arguments: [
    ("{}", "no list"), ("", "not a complete JSON"), ("null", "no list"),
    ("[", "not a complete JSON"),
    (#"{"beacons": {}}"#, "no list"),
    (#"{"format": "rssi-trace", "beacons": []}"#, "has the format"),
    (#"{"format": "rssi-registry", "format_version": 2, "beacons": []}"#, "newer format"),
    (#"{"beacons": [], "nextPageToken": "x"}"#, "one page of several"),
    ("<html>log in</html>", "not a complete JSON"),
    (String(repeating: "[", count: 100_000), "not a complete JSON"),
  ])
  func `refuses anything but a list`(text: String, reason: String) {
    let error = #expect(throws: RSSIError.self) { try document(text) }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `passes receivers over`() throws {
    let list = try document(#"[{"node": "hci0", "role": "receiver"}]"#)
    #expect(list.beacons.isEmpty && list.refused.isEmpty)
  }
}
