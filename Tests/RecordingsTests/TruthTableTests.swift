import Recordings
import Sightings
import TestSupport
import Testing

@Suite struct TruthTableTests {
  private func read(_ rows: String) throws -> Reading {
    try Reading("trace,time_s,node,x_m,y_m,z_m\n" + rows) { path, intake in
      _ = try intake.add("phone", role: .receiver)
      _ = try intake.add("tag", role: .beacon)
      try TruthTable.read(path, into: &intake)
    }
  }

  @Test func everyFieldIsTaken() throws {
    let catalogue = try read("w,1.5,phone,1,2,3\nw,2,tag,-1,0,\nv,3,phone,1,2,3\n").catalogue
    #expect(catalogue.traces == ["w", "v"])
    #expect(catalogue.truth.map(\.time) == [1_500_000_000, 2_000_000_000, 3_000_000_000])
    #expect(catalogue.truth.map(\.role) == [.receiver, .beacon, .receiver])
    #expect(catalogue.truth.map(\.trace) == [0, 0, 1])
    #expect(catalogue.truth.map(\.x) == [1, -1, 1])
    #expect(catalogue.truth.map(\.y) == [2, 0, 2])
    #expect(catalogue.truth.map { "\($0.z)" } == ["3.0", "nan", "3.0"])
  }

  @Test(arguments: [
    (",1,phone,1,2,", "line 3: the trace has no name"),
    ("w,noon,phone,1,2,", "line 3: time_s \"noon\" is not in Unix seconds"),
    ("w,1,ghost,1,2,",
      "line 3: the node \"ghost\" is neither in the recording nor among the nodes"),
    ("w,1,phone,1,,", "line 3: x_m or y_m is empty"),
    ("w,1,phone,1,2,up", "line 3: z_m \"up\" is not a number"),
    ("w,1,phone,1,2", "line 3: it has 5 fields, the header 6"),
  ])
  func aBadRowIsNamedByItsLine(_ row: String, _ expected: String) {
    #expect(problem { _ = try read("w,1,phone,1,2,3\n\(row)\n") } == expected)
  }
}
