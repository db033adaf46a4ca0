import Support
import Testing

@testable import Sightings

@Suite("Floors of a building")
struct FloorTests {
  @Test(arguments: [
    ("2", 2), ("F2", 2), ("L10", 10), ("l0", 0), ("B1", -1), ("b2", -2), ("-1", -1), ("0", 0),
    ("1000", 1000), ("1001", nil), ("ground", nil), ("F", nil), ("", nil), ("-", nil),
    ("2.5", nil), ("A3", nil), ("F-1", nil), ("F٣", nil), ("99999999999999999999", nil),
  ])
  func `a level is in the name`(_ name: String, _ level: Int?) {
    #expect(Floor(name: name).level == level)
  }

  private func builder() throws -> TraceBuilder<BlockCollector> {
    var builder = TraceBuilder(into: BlockCollector())
    for trace in ["a", "b"] { _ = try builder.trace(named: trace) }
    _ = try builder.add("phone", role: .receiver)
    return builder
  }

  @Test func `names are numbered in order, and described once`() throws {
    var builder = try builder()
    var known = Floor(name: "F2")
    (known.height, known.shiftX) = (4, 1.5)
    let numbers = [
      try builder.floor(named: "F1"), try builder.floor(named: "F2"), try builder.floor(named: ""),
      try builder.floor(named: "F1"), try builder.add(known),
    ]
    #expect(numbers == [0, 1, nil, 0, 1])
    let floors = builder.catalogue.floors
    #expect(floors.map(\.name) == ["F1", "F2"] && floors.map(\.level) == [1, 2])
    #expect(floors[1].height == 4 && floors[1].shiftX == 1.5 && floors[1].shiftY.isNaN)
  }

  @Test func `a trace on two floors needs truth`() throws {
    var builder = try builder()
    let floors = [try builder.floor(named: "F1"), try builder.floor(named: "F2")]
    for floor in floors + floors {
      if let floor { builder.setFloor(floor, ofTrace: 1) }
    }
    var other = try self.builder()
    other.setFloor(try #require(try other.floor(named: "F1")), ofTrace: 0)
    try other.settleFloors()
    #expect(other.catalogue.traceFloors == [0: 0])
    do throws(RSSIError) {
      try builder.settleFloors()
      Issue.record("it was accepted")
    } catch {
      #expect(
        error.description
          == "trace \"b\" is on floor \"F1\" and on floor \"F2\"; give each floor a trace of its "
          + "own, or give a table of `truth` with a column floor", "\(error)")
    }
  }

  @Test func `truth says when a trace is on which floor`() throws {
    var builder = try builder()
    for name in ["F1", "F2"] {
      guard let floor = try builder.floor(named: name) else { continue }
      builder.setFloor(floor, ofTrace: 0)
      builder.append(
        TruthPoint(
          time: Int64(floor), role: .receiver, node: 0, trace: 0, floor: floor, x: 0, y: 0, z: .nan)
      )
    }
    try builder.settleFloors()
    #expect(builder.catalogue.traceFloors.isEmpty)
    try builder.catalogue.requireUsablePlaces()
    #expect(builder.catalogue.truth.map(builder.catalogue.floor(of:)) == [0, 1])
  }

  @Test func `a node is on one floor at a time`() throws {
    var builder = try builder()
    for name in ["F1", "F2"] {
      builder.append(
        TruthPoint(
          time: 0, role: .receiver, node: 0, trace: 1, floor: try builder.floor(named: name), x: 0,
          y: 0, z: .nan))
    }
    let catalogue = builder.catalogue
    let error = #expect(throws: RSSIError.self) { try catalogue.requireUsablePlaces() }
    #expect(
      error?.description
        == "phone is on floor \"F1\" and on floor \"F2\" at 1970-01-01T00:00:00Z of trace \"b\"; keep "
        + "one row of truth for each instant", "\(error?.description ?? "")")
  }

  /// The rows of a node that stands still are joined, those of a change of the floor are not.
  @Test func `a change of the floor is kept`() throws {
    var builder = try builder()
    let floors = [try builder.floor(named: "F1"), try builder.floor(named: "F2")]
    for (time, floor) in [0, 0, 0, 1, 1].enumerated() {
      builder.append(
        TruthPoint(
          time: Int64(time), role: .receiver, node: 0, trace: 0, floor: floors[floor], x: 1, y: 2,
          z: .nan))
    }
    #expect(builder.catalogue.truth.map(\.floor) == [0, 0, 1, 1])
  }

  @Test func `an unknown value contradicts none`() {
    var (one, other) = (Floor(name: "hall"), Floor(name: "hall"))
    (one.level, one.height) = (0, 0)
    #expect(one.contradiction(to: other) == nil)
    other.height = 3.5
    let found = one.contradiction(to: other)
    #expect(found?.property == "height" && found?.own == "0.0 m" && found?.its == "3.5 m")
  }
}
