import Registries
import Testing

struct RegistryCheckTests {
  private func kinds(_ entries: String) throws -> [RegistryCheck.Kind] {
    try RegistryCheck(document("[\(entries)]")).findings.map(\.kind)
  }

  private let door = #""id": "addr:C0:FF:EE:00:00:01""#
  private let hall = #""id": "addr:C0:FF:EE:00:00:02""#

  @Test func `finds nothing in a good list`() throws {
    #expect(try RegistryCheck(document(fullList)).findings == [])
  }

  @Test func `finds duplicates`() throws {
    #expect(try kinds("{\(door)}, {\(hall)}, {\(door)}") == [.sameIdentity])
    #expect(try kinds("{\(door), \"name\": \"a\"}, {\(hall), \"name\": \"a\"}") == [.sameName])
    // Two entries of one beacon share a name and a place; it is reported once.
    #expect(try kinds("{\(door), \"name\": \"a\"}, {\(door), \"name\": \"a\"}") == [.sameIdentity])
    let place = #""x_m": 1, "y_m": 2"#
    #expect(try kinds("{\(door), \(place)}, {\(hall), \(place)}") == [.samePlace])
    #expect(try kinds("{\(door), \(place), \"z_m\": 0}, {\(hall), \(place), \"z_m\": 3}") == [])
    let check = try RegistryCheck(document("[{\(door)}, {\(hall)}, {\(door)}]"))
    #expect(check.findings.first?.places == ["entry 1", "entry 3"])
    #expect(check.count(.error) == 1)
  }

  @Test func `finds powers that no beacon has`() throws {
    #expect(try kinds("{\(door), \"measured_power_dbm\": -18}") == [.impossiblePower])
    #expect(try kinds("{\(door), \"measured_power_dbm\": -111}") == [.impossiblePower])
    #expect(try kinds("{\(door), \"measured_power_dbm\": -59}") == [])
  }

  /// From −59 dBm to −104 dBm are 45 dB: 10^(45/20) = 177.8 m in free space.
  @Test func `finds ranges beyond reception`() throws {
    #expect(try kinds("{\(door), \"measured_power_dbm\": -59, \"range_m\": 177}") == [])
    #expect(
      try kinds("{\(door), \"measured_power_dbm\": -59, \"range_m\": 178}") == [.unreachableRange])
  }

  @Test func `finds places in degrees and pixels`() throws {
    let degrees = #""x_m": 16.37218, "y_m": 48.20856"#
    let near = #""x_m": 16.37220, "y_m": 48.20849"#
    #expect(try kinds("{\(door), \(degrees)}, {\(hall), \(near)}") == [.impossiblePlaces])
    let far = #""x_m": 640, "y_m": 0"#
    let origin = #""x_m": 0, "y_m": 0"#
    let check = try RegistryCheck(document("[{\(door), \(far)}, {\(hall), \(origin)}]"))
    #expect(check.findings.map(\.kind) == [.impossiblePlaces])
    #expect(check.count(.warning) == 1)
    let metres = #""x_m": 6.4, "y_m": 0"#
    #expect(try kinds("{\(door), \(metres)}, {\(hall), \(origin)}") == [])
  }

  @Test func `reports bad entries and control characters`() throws {
    let check = try RegistryCheck(document(#"[{"name": "x"}, {\#(door), "name": "a\u001b"}]"#))
    #expect(check.findings.map(\.kind) == [.badEntry, .unclean])
    #expect(check.count(.error) == 1)
  }

  @Test func `finds places outside rooms`() throws {
    let list = try document(#"[{\#(door), "x_m": 1, "y_m": 1}, {\#(hall), "x_m": 9, "y_m": 1}]"#)
    let check = try RegistryCheck(list, isInRoom: { x, _ in x < 5 })
    #expect(check.findings.map(\.kind) == [.outsideRooms])
    #expect(check.findings.first?.places == ["entry 2"])
  }
}
