import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Stages that rewrite one trace at once") struct InPlaceTests {
  @Test func `each add their result`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let (trace, calibration) = (folder.path("t.h5"), folder.path("c.json"))
    #expect(
      try rssi(
        "import", "\(room)/walk-1.btsnoop", "\(room)/distances.csv", "--receiver", "phone",
        "--nodes", "\(room)/nodes.csv", "-o", trace
      ).exitCode == 0)
    #expect(try rssi("fit", "\(room)/distances.csv", "-o", calibration).exitCode == 0)
    let stages = [
      ["filter", trace, "-o", trace, "--filter", "ewma"],
      ["filter", trace, "-o", trace, "--filter", "median"],
      ["filter", trace, "-o", trace, "--filter", "hampel"],
      ["filter", trace, "-o", trace, "--filter", "one-euro"],
      ["fit", trace, "-o", trace],
      ["locate", trace, "--calibration", calibration, "--filtered", "none", "-o", trace]
        + ["--algorithm", "weighted-centroid"],
      ["pack", trace], ["pack", trace], ["repair", trace],
    ]
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: stages.count) { index in
      let result = try? runProgram(builtProgram, stages[index])
      if result?.exitCode != 0 {
        failures.withLock { $0.append("\(stages[index]): \(result?.error ?? "")") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let text = try rssi("info", trace).output
    for name in ["ewma, hampel, median, one-euro", "calibration", "positions by"] {
      #expect(text.contains(name), "\(name) is missing in \(text)")
    }
    #expect(try folder.names().filter { $0.hasSuffix(".partial") } == [])
  }
}
