import Sightings
import Testing

@Suite("Shortened identities") struct ShortIdentitiesTests {
  private static let one = "ibeacon:F7826DA6-4FA2-4E98-8024-BC5B71E0893E:1:7"
  private static let two = "ibeacon:F7826DB0-4FA2-4E98-8024-BC5B71E0893E:1:7"

  @Test func `leave out what all have`() {
    let short = ShortIdentities([Self.one, "addr:00:11:22:33:44:55", "x"])
    #expect(short.commonUUID == "F7826DA6-4FA2-4E98-8024-BC5B71E0893E")
    #expect(short.short(Self.one) == "1:7")
    #expect(short.short(Self.one, keepsKind: true) == "ibeacon:…:1:7")
    #expect(short.short("addr:00:11:22:33:44:55") == "00:11:22:33:44:55")
    #expect(short.short("x") == "x" && short.short("ibeacon:x") == "ibeacon:x")
  }

  @Test func `keep the digits that differ`() {
    let short = ShortIdentities([Self.one, Self.two])
    #expect(short.commonUUID == nil)
    #expect(short.short(Self.one) == "F7826DA…:1:7" && short.short(Self.two) == "F7826DB…:1:7")
    #expect(short.short(Self.two, keepsKind: true) == "ibeacon:F7826DB…:1:7")
    #expect(ShortIdentities([]).commonUUID == nil)
  }

  @Test func `in messages keep the kind, and the digits that differ from the named one`() {
    #expect(shortIdentities([Self.one, "phone"]) == ["ibeacon:…:1:7", "phone"])
    #expect(shortIdentities([Self.one], besides: ["9:9"]) == ["ibeacon:…:1:7"])
    #expect(shortIdentities([Self.one], besides: [Self.two]) == ["ibeacon:F7826DA…:1:7"])
    let uuid = "F7826DB0-4FA2-4E98-8024-BC5B71E0893E"
    #expect(shortIdentities([Self.one], besides: [uuid]) == ["ibeacon:F7826DA…:1:7"])
  }
}
