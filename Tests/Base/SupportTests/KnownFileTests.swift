import Foundation
import Glibc
import Support
import TestSupport
import Testing

@Suite("Kinds of files by their content")
struct KnownFileTests {
  @Test(
    arguments: [
      ("[[walls]]\nfrom = [0, 0]\n", .site), ("# plan\n\n  [[rooms]]  # one\n", .site),
      ("{\n  \"format\" : \"rssi-registry\"\n}", .registry),
      ("kind,uuid,major,minor,name\n", .registry),
      ("{\"by\":\"pooled\",\"format\":\"rssi-calibration\"}", .calibration),
      ("{\"format\":\"rssi-measured-power\"}", .powerReport),
      ("{\"format\":\"rssi-part\",\"stage\":\"fit\"}\n{}", .part),
      ("node,role,x_m,y_m\n", .nodes), ("trace,time_s,\"node\",x_m,y_m\n", .truth),
      ("trace,time_s,receiver,beacon,true_rssi_dbm\n", .trueLevels),
      ("series,distance_m,rssi_dbm\n", .readings), ("# log\ntime_s,beacon,rssi_dbm\n", .sightings),
      ("btsnoop\0", .recording), ("\u{A}\r\r\u{A}", .recording),
      ("uuid,major,minor,rssi\n", nil), ("{\"time_s\":1,\"rssi_dbm\":-60}\n", nil),
      ("[[1, 2]]", nil), ("[2024-01-01] rssi -60\n", nil), ("", nil), ("\n\n", nil), ("[[", nil),
    ] as [(String, KnownFile?)])
  func `recognises what stages read`(text: String, kind: KnownFile?) {
    #expect(KnownFile(Array(text.utf8)) == kind)
  }

  @Test func `any bytes are of some kind or of none`() {
    var generator = SeededGenerator(seed: 1)
    let alphabet =
      Array("[]{}\",#\n\r =:_-".utf8) + Array("node,role rssi-part".utf8) + [0, 0x80, 0xFF]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &generator)]
      }
      if let kind = KnownFile(bytes) {
        let error = kind.misplaced("file", for: "a trace")
        #expect(error.kind == .badInput && error.advice?.isEmpty == false)
      }
    }
  }

  @Test func `a pipe is not read`() throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(KnownFile(path: pipe) == nil && KnownFile(path: "-") == nil)
    #expect(KnownFile(path: folder.path("none")) == nil)
  }
}
