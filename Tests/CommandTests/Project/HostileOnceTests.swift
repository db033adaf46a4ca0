import Foundation
import TestSupport
import Testing

@Suite(
  "Sightings counted while their carriers are killed", .systemRun,
  .enabled(if: NATSServer.isInstalled && Broker.isInstalled, "needs nats-server and Mosquitto"))
struct HostileOnceTests {
  @Test func `none is missing, twice or foreign`() throws {
    let result = try runProgram(
      pythonPath,
      [repositoryRoot.appending(path: "scripts/hostile/once.py").path, "--program", builtProgram]
        + ["--seconds", "20"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    print(result.output)
  }
}
