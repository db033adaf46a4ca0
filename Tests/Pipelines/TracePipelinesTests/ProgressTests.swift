import Filtering
import Foundation
import PathLoss
import Support
import Synchronization
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

@Suite("Long work reports how far it is, from its beginning to its end")
struct ProgressTests {
  private let folder: TemporaryDirectory
  private let example = repositoryRoot.appending(path: "notebooks-data/example").path
  private let tool = ToolIdentity(version: "1.2.3", commandLine: "tests")

  init() throws { folder = try TemporaryDirectory() }

  private func importWalks(log: any ActivityLog = SilentLog()) throws -> String {
    let trace = folder.path("walks.h5")
    let walks = (1...3).map { "\(example)/walk-\($0).btsnoop" }
    let request = ImportRequest(
      files: walks + ["\(example)/distances.csv"], output: trace, receiver: "phone")
    _ = try ImportStage(request).run(in: StageContext(tool: tool, log: log))
    return trace
  }

  @Test func `an import counts the bytes of all files`() throws {
    let log = KeptProgress()
    _ = try importWalks(log: log)
    let files = (1...3).map { "\(example)/walk-\($0).btsnoop" } + ["\(example)/distances.csv"]
    let bytes = try files.map { try Data(contentsOf: URL(filePath: $0)).count }
    let work = try #require(log.works["import"])
    #expect(work.total == bytes.reduce(0, +))
    work.expectWhole()
    #expect(work.done.contains(bytes[0]), "the end of the first file")
  }

  @Test
  func `a list of devices counts the bytes of recordings, and rows as bytes of a trace`() throws {
    let trace = try importWalks()
    let log = KeptProgress()
    _ = try BeaconsStage(BeaconsRequest(inputs: ["\(example)/walk-4.btsnoop", trace])).run(
      in: StageContext(tool: tool, log: log))
    try #require(log.works["beacons"]).expectWhole()
  }

  @Test func `filtering counts both readings of the trace`() throws {
    let trace = try importWalks()
    let log = KeptProgress()
    let request = FilterRequest(
      input: trace, output: folder.path("out.h5"), chain: [try FilterSpecification("kalman")])
    _ = try FilterStage(request).run(in: StageContext(tool: tool, log: log))
    let work = try #require(log.works["filter"])
    work.expectWhole()
    #expect(work.done.contains(work.total / 2))
  }

  @Test func `a fit counts the draws of the bootstrap of each group`() throws {
    var request = FitRequest()
    request.inputs = ["\(example)/distances.csv"]
    request.by = Grouping([.beacon])
    request.bootstrap = 100
    let log = KeptProgress()
    let fit = try FitStage(request).run(in: StageContext(tool: tool, log: log))
    let work = try #require(log.works["fit"])
    #expect(work.total == (fit.calibration.groups.count + 1) * 101)
    #expect(work.done == work.done.sorted())
    #expect(work.done.contains(50) && work.done.last.map { $0 >= work.total - 101 } == true)
  }

  @Test func `a recording that is written counts the rows of its trace`() throws {
    let trace = folder.path("one.h5")
    let request = ImportRequest(files: ["\(example)/walk-1.btsnoop"], output: trace)
    _ = try ImportStage(request).run(in: StageContext(tool: tool))
    let log = KeptProgress()
    try ExportStage(ExportRequest([trace], to: folder.path("one.btsnoop")))
      .run(in: StageContext(tool: tool, log: log))
    try #require(log.works["export"]).expectWhole()
  }
}

/// Keeps what each piece of work reported.
private final class KeptProgress: ActivityLog {
  struct Work {
    var total: Int
    var done: [Int] = []

    /// Expects reports that never go back and end with all that there is to do.
    func expectWhole() {
      #expect(total > 0)
      #expect(done == done.sorted())
      #expect(done.last == total)
    }
  }

  private struct Line: ActivityProgress {
    let log: KeptProgress
    let label: String

    func update(_ done: Int) { log.kept.withLock { $0[label]?.done.append(done) } }
    func finish() {}
  }

  private let kept = Mutex<[String: Work]>([:])
  var works: [String: Work] { kept.withLock { $0 } }

  func note(_ text: String) {}

  func progress(_ label: String, total: Int) -> any ActivityProgress {
    kept.withLock { $0[label] = Work(total: total) }
    return Line(log: self, label: label)
  }
}
