import Foundation
import TestSupport
import Testing

/// The results of `workflow/` and of single processes, compared byte for byte.
@Suite("The workflow of a data set", .systemRun) struct WorkflowTests {
  private func check(_ place: String) throws -> String {
    let script = repositoryRoot.appending(path: "Tests/CommandTests/Scripts/workflow.py").path
    let snakemake = repositoryRoot.appending(path: ".build/python/bin/snakemake").path
    let recordings = repositoryRoot.appending(path: "notebooks-data/example").path
    let result = try runProgram(
      pythonPath, [script, builtProgram, recordings, snakemake, place])
    #expect(result.exitCode == 0, "\(result.output)\n\(result.error)")
    return result.output
  }

  @Test func `runs on one machine, and again only for what changed`() throws {
    #expect(try check("local") == "26 jobs, then 0, then 11\n")
  }

  @Test(.needsRoot)
  func `runs on a cluster of which a node dies in the middle`() throws {
    #expect(try check("slurm").hasSuffix("of n1, which died, ran on n2\n"))
  }
}
