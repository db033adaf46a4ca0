import Foundation
import TestSupport
import Testing

/// The image of scripts/image, which `scripts/test --system` builds.
private let image = ProcessInfo.processInfo.environment["RSSI_IMAGE"]

@Suite(
  "The image for containers", .systemRun, .needsNamespaces, .needs(program: "/usr/bin/podman"),
  .enabled(if: image != nil, "run scripts/test --system"))
struct ImageTests {
  private let folder: TemporaryDirectory
  private let data: String
  /// A folder of at most 50 characters, as podman demands.
  private let state: String
  private var reference = ""

  init() throws {
    folder = try TemporaryDirectory()
    data = folder.path("data")
    state = "/run/" + folder.url.lastPathComponent
    try FileManager.default.createDirectory(
      atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    // For a container in a container: cgroups that are mounted already, and limits that hold.
    _ = try folder.write(
      """
      [containers]
      default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
      [engine]
      runtime = "runc"
      cgroup_manager = "cgroupfs"

      """, to: "containers.conf")
    let loaded = try podman(["load", "--quiet", "--input", try #require(image)])
    #expect(loaded.exitCode == 0, "\(loaded.error)")
    reference = String(
      try #require(loaded.output.firstMatch(of: /Loaded image: (\S+)/)?.output.1))
  }

  private func podman(_ arguments: [String]) throws -> ProgramResult {
    try runProgram(
      "/usr/bin/podman",
      [
        "--storage-driver", "vfs", "--root", folder.path("storage"), "--runroot", state,
      ] + arguments, environment: ["CONTAINERS_CONF": folder.path("containers.conf")])
  }

  private func run(_ options: [String], _ arguments: [String]) throws -> ProgramResult {
    try podman(
      ["run", "--network", "host", "--volume", "\(data):/data"] + options + [reference]
        + arguments)
  }

  private func removeState() { try? FileManager.default.removeItem(atPath: state) }

  @Test func `is small, and its pipeline has the figures of the README`() throws {
    defer { removeState() }
    let attributes = try FileManager.default.attributesOfItem(atPath: try #require(image))
    #expect(try #require(attributes[.size] as? Int) <= 60_000_000)
    let result = try run(
      ["--rm", "--entrypoint", "sh"],
      [
        "-ec",
        """
        cp /usr/share/doc/rssi/notebooks-data/example/* .
        rssi import walk-*.btsnoop --receiver phone --nodes nodes.csv --truth truth.csv -o walks.h5
        rssi fit distances.csv -o calibration.json
        rssi eval walks.h5 --calibration calibration.json --site site.toml --algorithms \
          weighted-centroid,maximum-likelihood,kalman
        """,
      ])
    #expect(result.exitCode == 0, "\(result.error)")
    let readme = try String(
      contentsOf: repositoryRoot.appending(path: "README.md"), encoding: .utf8)
    let row = try #require(
      readme.split(separator: "\n").first { $0.hasPrefix("weighted-centroid  ") })
    #expect(result.output.contains(row))
  }

  @Test(.enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
  func `records gateways, and metrics show its health`() throws {
    defer { removeState() }
    let broker = try Broker(in: folder)
    let gateway = NumberedGateway()
    let port = try reservedPort()
    let address = "http://127.0.0.1:\(port)/metrics"
    let started = try run(
      [
        "--detach", "--name", "hall", "--health-cmd", "wget -q -O /dev/null \(address)",
        "--health-interval", "disable",
      ], ["capture", broker.url("%23"), "-o", "hall.h5", "--metrics", "\(port)"])
    #expect(started.exitCode == 0, "\(started.error)")
    let isHealthy = try eventually { try podman(["healthcheck", "run", "hall"]).exitCode == 0 }
    let log = try podman(["logs", "hall"]).error
    #expect(isHealthy, "\(log)")
    #expect(eventually { broker.subscriptions(to: "#") > 0 })
    try broker.publish(
      (0..<20).map(gateway.message), to: "ruuvi/C8:25:2D:8E:9C:2C/F4:1F:0C:28:CB:D6")
    let isCounted = try eventually {
      try podman(["exec", "hall", "wget", "-q", "-O", "-", address]).output
        .contains(/rssi_latency_seconds_count\{[^}]*\} 20\n/)
    }
    #expect(isCounted)
    let stopped = try podman(["stop", "--time", "60", "hall"])
    #expect(stopped.exitCode == 0, "\(stopped.error)")
    let code = try podman(["inspect", "--format", "{{.State.ExitCode}}", "hall"]).output
    #expect(code == "0\n", "\(log)")
    let info = try json(rssi("info", data + "/hall.h5", "--json").output)
    #expect(info["sightings"] as? Int == 20)
  }
}
