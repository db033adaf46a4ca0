import Advertising
import TestSupport
import Testing

@testable import Sightings

@Suite struct HeardBeaconsTests {
  private static let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"
  private static let address = "addr:C0:00:00:00:00:01"

  /// `desk-1`, two iBeacons, the beacon of an address that sent the first, and a name that could be
  /// an address.
  private func catalogue() -> Catalogue {
    var catalogue = Catalogue()
    for id in [
      "desk-1", "ibeacon:\(Self.uuid):1:7", "ibeacon:\(Self.uuid):1:8", Self.address,
      "C0FFEE000002",
    ] { catalogue.beacons.append(Node(id: id, kind: "")) }
    catalogue.senders = [BeaconSender(beacon: 1, address: 0xC000_0000_0001)]
    return catalogue
  }

  @Test(arguments: [
    ("desk-1", [0]), ("desk-2", []), ("ibeacon:\(uuid):1:7", [1]),
    ("\(uuid.lowercased()):1:7", [1]), ("{\(uuid)}-1-8", [2]), ("1:7", [1]), ("…:1:8", [2]),
    ("1:9", []), ("c0:00:00:00:00:01", [3, 1]), ("C00000000001", [3, 1]), (address, [3, 1]),
    ("C0FFEE000002", [4]), ("c0:ff:ee:00:00:02", [4]), ("C0FFEE000003", []), ("\(uuid):1", []),
  ])
  func `a text means beacons`(_ text: String, _ expected: [Int]) throws {
    #expect(try HeardBeacons(catalogue()).numbers(text) == expected)
  }

  @Test func `a shortened identity of several is refused with them`() throws {
    var catalogue = catalogue()
    let other = "ibeacon:6E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7"
    catalogue.beacons.append(Node(id: other, kind: ""))
    let heard = HeardBeacons(catalogue)
    let text = try #require(refusal { _ = try heard.numbers("1:7") })
    #expect(text.contains(other) && text.contains(catalogue.beacons[1].id))
    #expect(try heard.numbers("5E…:1:7") == [1])
    // A beacon that a table calls so is meant by its name.
    catalogue.beacons.append(Node(id: "1:7", kind: ""))
    #expect(try HeardBeacons(catalogue).numbers("1:7") == [6])
  }

  @Test func `the name of an identity counts before that of its address`() {
    let written = WrittenBeacons(["c0-00-00-00-00-01", "\(Self.uuid):1:7", "desk-1"])
    let address: UInt64 = 0xC000_0000_0001
    #expect(written.hasAddresses)
    #expect(written.number(of: "ibeacon:\(Self.uuid):1:7", sentFrom: [address]) == 1)
    #expect(written.number(of: "ibeacon:\(Self.uuid):1:8", sentFrom: [5, address]) == 0)
    #expect(written.number(of: "ibeacon:\(Self.uuid):1:8") == nil)
    #expect(written.number(of: Self.address) == 0)
    #expect(written.number(of: "desk-1") == 2)
    #expect(!WrittenBeacons(["desk-1"]).hasAddresses)
  }

  @Test func `spellings of one identity are one beacon`() throws {
    var table = IdentityTable()
    func intern(_ name: String) -> (UInt32, String?) {
      let bytes = Array(name.utf8)
      return table.intern(bytes.span)
    }
    #expect(intern("aabbccddeeff") == (0, "aabbccddeeff"))
    #expect(intern("addr:AA:BB:CC:DD:EE:FF") == (0, nil))
    #expect(intern("desk-1") == (1, "desk-1"))
    #expect(intern("DESK-1") == (2, "DESK-1"))
    #expect(intern("\(Self.uuid):1:7") == (3, "\(Self.uuid):1:7"))
    #expect(intern("ibeacon:\(Self.uuid.lowercased()):1:7") == (3, nil))
    #expect(intern("1:7") == (4, "1:7"))
    let spelled = Array("AA-BB-CC-DD-EE-FF".utf8)
    #expect(table.find(spelled.span) == 0)
    let unknown = Array("desk-2".utf8)
    #expect(table.find(unknown.span) == nil)
  }
}

/// What a call refuses; nil where it refuses nothing.
private func refusal(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch { return "\(error)" }
}
