import Advertising
import Sightings
import TestSupport
import Testing

@testable import Registries

@Suite("Entries of a registry by address, and fields that are called otherwise")
struct RegistryNamesTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func table(_ text: String) throws -> RegistryDocument {
    try RegistryDocument(path: folder.write(text, to: "list.csv"))
  }

  @Test(arguments: [
    "AABBCCDDEEFF", "aa-bb-cc-dd-ee-ff", "AA.BB.CC.DD.EE.FF", "aabb.ccdd.eeff", "0xaabbccddeeff",
    "addr:AA:BB:CC:DD:EE:FF", "aa:bb:cc:dd:ee:ff (random)",
  ])
  func `addresses are read in usual spellings`(_ address: String) throws {
    for column in ["address", "mac", "MAC address", "bd_addr", "id", "node"] {
      let list = try table("name,\(column)\ndoor,\(address)\n")
      #expect(list.refused == [] && list.doubts == nil)
      #expect(
        list.beacons.map { "\($0.identity)" } == ["addr:AA:BB:CC:DD:EE:FF"], "\(column)")
    }
  }

  @Test(arguments: [
    "{\(uuid)}", "urn:uuid:\(uuid)", "\(uuid.lowercased())", "E2C56DB5DFFB48D2B060D0F5A71096E0",
  ])
  func `UUIDs are read in usual spellings`(_ spelled: String) throws {
    for columns in ["uuid,major,minor", "proximityUUID,Major,MINOR", "Proximity,major,minor"] {
      let list = try table("\(columns)\n\(spelled),1,7\n")
      #expect(list.beacons.map { "\($0.identity)" } == ["ibeacon:\(uuid):1:7"])
    }
    let list = try table("id\niBeacon:\(spelled)-1-7\n")
    #expect(list.beacons.map { "\($0.identity)" } == ["ibeacon:\(uuid):1:7"])
  }

  @Test func `keys of data bases are not addresses`() throws {
    let list = try table("id,uuid,major,minor\nAABBCCDDEEFF,\(uuid),1,7\n")
    #expect(list.beacons.first?.notes == ["id": "AABBCCDDEEFF"])
    #expect(list.beacons.map { "\($0.identity)" } == ["ibeacon:\(uuid):1:7"])
    #expect(try table("id,name\n202311260815,door\n").beacons == [])
    let sent = try table("id,mac\n202311260815,aabbccddeeff\n")
    #expect(sent.beacons.map { "\($0.identity)" } == ["addr:AA:BB:CC:DD:EE:FF"])
  }

  @Test func `fields that are nearly known are named and kept`() throws {
    let list = try table(
      "name,uuid,major,minor,x,Y,height,txPower,floor\ndoor,\(uuid),1,7,10.5,3.2,2,-59,1\n")
    #expect(
      list.doubts
        == "kept as notes: \"x\" (did you mean \"x_m\"? the unit is part of the name), "
        + "\"Y\" (did you mean \"y_m\"? the unit is part of the name), "
        + "\"height\" (did you mean \"z_m\"?), \"txPower\" (did you mean \"measured_power_dbm\"?)")
    #expect(list.beacons.first?.notes["txPower"] == "-59")
    #expect(list.beacons.first?.notes["floor"] == "1")
    // What is kept is not asked about again.
    let kept = try document(RegistryDocument(list.beacons).text)
    #expect(kept.doubts == nil && kept.beacons == list.beacons)
  }

  @Test func `units in brackets are those of the column`() throws {
    let list = try table(
      "mac,x [m],y (m),Measured Power [dBm],range (m)\naabbccddeeff,1,2,-59,3\n")
    let beacon = try #require(list.beacons.first)
    #expect(beacon.x == 1 && beacon.y == 2 && beacon.measuredPower == -59 && beacon.range == 3)
    #expect(beacon.notes == [:] && list.doubts == nil)
    let centimetres = try table("mac,x [cm],y [cm]\naabbccddeeff,100,200\n")
    #expect(centimetres.beacons.first?.x == nil)
    #expect(centimetres.doubts?.contains("\"x [cm]\" (did you mean \"x_m\"?") == true)
  }

  @Test func `lists of objects are asked about too`() throws {
    let list = try document(
      #"""
      [{"mac": "aa:bb:cc:dd:ee:ff", "location": {"x": 1, "y": 2}, "settings": {"txPower": -59}},
       {"mac": "aa:bb:cc:dd:ee:00", "latLng": {"latitude": 48.2, "longitude": 16.4}},
       {"mac": "aa:bb:cc:dd:ee:01", "x_m": 1, "y_m": 2, "x": 300, "owner": {"name": "Ann"}}]
      """#)
    let doubts = try #require(list.doubts)
    for part in [
      "\"location.x\" (did you mean \"x_m\"", "\"settings.txPower\" (did you mean \"measured",
      "\"latLng.latitude\" (did you mean \"x_m\" and \"y_m\"? places are in metres, not degrees)",
    ] { #expect(doubts.contains(part), "\(doubts)") }
    // A place in metres is there: what else is called x is a note.
    #expect(!doubts.contains("\"x\"") && !doubts.contains("owner"))
  }

  @Test func `an entry without an identity shows what may be meant`() throws {
    let list = try table("name,uuidd,major,minor\ndoor,\(uuid),1,7\n")
    #expect(list.refused.first?.reason.contains("\"uuidd\": did you mean \"uuid\"?") == true)
  }

  private func registry(_ entries: [(String, String)]) throws -> Registry {
    Registry(
      try entries.map { id, name in
        var beacon = RegisteredBeacon(try #require(BeaconPattern(id)?.identity))
        beacon.name = name
        return beacon
      })
  }

  private var heard: Catalogue {
    var catalogue = Catalogue()
    catalogue.beacons = ["ibeacon:\(uuid):1:7", "ibeacon:\(uuid):1:8"].map {
      Node(id: $0, kind: "ibeacon")
    }
    catalogue.senders = [
      BeaconSender(beacon: 0, address: 1), BeaconSender(beacon: 1, address: 1),
      BeaconSender(beacon: 1, address: 2),
    ]
    return catalogue
  }

  @Test func `an address names all that was sent from it`() throws {
    let registry = try registry([("addr:00:00:00:00:00:01", "door")])
    let names = BeaconNames(registry)
    #expect(names["ibeacon:\(uuid):1:7"] == nil)
    registry.learn(heard)
    #expect(names["ibeacon:\(uuid):1:7"] == "door" && names["ibeacon:\(uuid):1:8"] == "door")
    #expect(names["addr:00:00:00:00:00:01"] == "door" && names["ibeacon:\(uuid):1:9"] == nil)
    #expect(registry.beacon(id: "ibeacon:\(uuid):1:9", sentFrom: 1)?.name == "door")
  }

  @Test func `an entry by identity counts before one by address`() throws {
    let registry = try registry([
      ("addr:00:00:00:00:00:01", "door"), ("ibeacon:\(uuid):1:7", "lift"),
    ])
    registry.learn(heard)
    #expect(registry[id: "ibeacon:\(uuid):1:7"]?.name == "lift")
    #expect(registry[id: "ibeacon:\(uuid):1:8"]?.name == "door")
    #expect(registry.beacon(id: "ibeacon:\(uuid):1:7", sentFrom: 1)?.name == "lift")
  }

  @Test func `a named registry without any beacon that was heard is doubted`() throws {
    var registry = try registry([("addr:00:00:00:00:00:09", "door")])
    let ids = heard.beacons.map(\.id)
    #expect(registry.doubt(heard: ids) == nil)
    registry.origin = "list.csv"
    let doubt = try #require(registry.doubt(heard: ids, senders: [1, 2]))
    #expect(doubt.hasPrefix("no entry of list.csv was heard; heard: ibeacon:\(uuid):1:7, ibeacon"))
    #expect(doubt.hasSuffix("(did you mean \"addr:00:00:00:00:00:01\"?)"))
    registry = try self.registry([("addr:00:00:00:00:00:01", "door")])
    registry.origin = "list.csv"
    registry.learn(heard)
    #expect(registry.doubt(heard: ids) == nil)
  }

  @Test func `shortened identities mean the only entry that fits`() throws {
    let other = "6E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"
    let registry = try registry([
      ("ibeacon:\(uuid):1:7", "door"), ("ibeacon:\(other):1:7", "1:8"),
      ("ibeacon:\(other):1:9", "AABBCCDDEEFF"),
    ])
    #expect(try beaconPatterns("E2C5…:1:7", in: registry) == [BeaconPattern("\(uuid):1:7")!])
    #expect(try beaconPatterns("1:8", in: registry) == [BeaconPattern("\(other):1:7")!])
    #expect(try beaconPatterns("AABBCCDDEEFF", in: registry) == [BeaconPattern("\(other):1:9")!])
    #expect(
      try beaconPatterns("addr:AA:BB:CC:DD:EE:FF", in: registry) == [.address(0xAABB_CCDD_EEFF)])
    let refusal = try #require(refusal { _ = try beaconPatterns("1:7", in: registry) })
    #expect(refusal.contains(uuid) && refusal.contains(other))
    #expect(try beaconPatterns("1:5", in: registry).first?.identity == nil)
    #expect(try beaconPatterns("nobody", in: registry) == [])
  }
}

/// Returns the refusal of a call; nil if it succeeds.
private func refusal(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch { return "\(error)" }
}
