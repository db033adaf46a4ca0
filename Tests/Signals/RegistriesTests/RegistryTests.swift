import Advertising
import Registries
import Testing

struct RegistryTests {
  @Test func `finds a beacon by its identity`() throws {
    let id = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2"
    let identity = try #require(BeaconPattern(id)?.identity)
    var door = RegisteredBeacon(identity)
    door.name = "door"
    let registry = Registry([RegisteredBeacon(identity), door])
    #expect(registry.beacons == [door])
    #expect(registry[id: id.lowercased()] == door)
    #expect(registry[id: "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:3"] == nil)
    #expect(registry[id: "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1"] == nil)
  }
}
