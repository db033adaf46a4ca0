import Foundation
import TestSupport
import Testing

@Suite("Pages of reports in a browser", .needs(program: "/usr/bin/chromium"))
struct ReportPagesTests {
  @Test
  func `are legible at every width, light and dark, and work with the keyboard alone`() throws {
    let folder = try TemporaryDirectory()
    let example = repositoryRoot.appending(path: "notebooks-data/example").path
    let (walk, calibration) = (folder.path("walk.h5"), folder.path("calibration.json"))
    let site = ["--site", example + "/site.toml", "--calibration", calibration]
    let pages = ["eval", "locate", "map"].map { folder.path("\($0).html") }
    for arguments in [
      [
        "import", example + "/walk-1.btsnoop", "--receiver", "phone", "--nodes",
        example + "/nodes.csv", "--truth", example + "/truth.csv", "-o", walk,
      ],
      ["fit", example + "/distances.csv", "-o", calibration],
      ["eval", walk, "--algorithms", "kalman,weighted-centroid", "--report", pages[0]] + site,
      ["locate", walk, "--algorithm", "kalman", "--report", pages[1]] + site,
      ["map", walk, "-o", folder.path("map.h5"), "--report", pages[2]] + site,
    ] {
      let result = try runProgram(builtProgram, arguments)
      #expect(result.exitCode == 0, "\(result.error)")
    }
    let script = repositoryRoot.appending(path: "Tests/CommandTests/Scripts/report_pages.py").path
    let result = try runProgram(pythonPath, [script] + pages)
    #expect(result.exitCode == 0, "\(result.error)")
  }
}
