import Capture
import Foundation
import Support
import TestSupport
import Testing
import TracePipelines

@testable import LivePipelines

/// A machine of files, whose every part can be broken.
@Suite struct DoctorTests {
  private let folder: TemporaryDirectory
  private var probes: MachineProbes

  init() throws {
    folder = try TemporaryDirectory()
    probes = MachineProbes(drawingProgram: { "/usr/bin/\($0)" })
    probes.root = folder.url.path
    probes.process = 7
    probes.adapters = { [Adapter(index: 0, address: "00:1A:7D:DA:71:13", isUp: true)] }
    probes.kernel = { "6.1.0-18-amd64" }
    probes.answer = { $0 == "bluetoothctl -v" ? "bluetoothctl: 5.66" : nil }
    probes.isSynchronised = { true }
    probes.libraries = ["HDF5 1.10.8"]
    probes.freeSpace = { 5_000_000_000 }
    try write("Name:\trssi\nCapEff:\t0000000000003000\n", "proc/self/status")
    try write("rssi\n", "proc/7/comm")
    try rfkill(0, type: "wlan", soft: 1)
    try rfkill(1, type: "bluetooth")
  }

  private func write(_ text: String, _ name: String) throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: false, encoding: .utf8)
  }

  private func rfkill(_ number: Int, type: String, soft: Int = 0, hard: Int = 0) throws {
    let name = "sys/class/rfkill/rfkill\(number)"
    try write("\(type)\n", "\(name)/type")
    try write("hci\(number)\n", "\(name)/name")
    try write("\(soft)\n", "\(name)/soft")
    try write("\(hard)\n", "\(name)/hard")
  }

  private func check(_ name: String) throws -> MachineCheck {
    try #require(DoctorStage(DoctorRequest()).run(in: probes).first { $0.name == name })
  }

  @Test func `a machine that can record has nothing to do`() throws {
    let checks = try DoctorStage(DoctorRequest()).run(in: probes)
    #expect(
      checks.map(\.name) == [
        "adapter", "rfkill", "capabilities", "kernel", "bluez", "scanners", "clock", "gnuplot",
        "rsvg-convert",
        "libraries", "disk",
      ])
    #expect(checks.allSatisfy { $0.state == .ok && $0.advice == nil })
    #expect(checks[0].finding == "hci0 00:1A:7D:DA:71:13 up")
    #expect(checks[4].finding == "BlueZ 5.66")
  }

  @Test mutating func `adapters`() throws {
    probes.adapters = { [] }
    #expect(try check("adapter").state == .problem)
    probes.adapters = { () throws(RSSIError) in
      throw RSSIError(.unavailable, "it is gone", in: "hci0", advice: "plug it in again")
    }
    #expect(
      try check("adapter")
        == MachineCheck("adapter", .problem, "hci0: it is gone", advice: "plug it in again"))
    probes.adapters = { [Adapter(index: 1, address: "00:00:00:00:00:00", isUp: false)] }
    let down = try check("adapter")
    #expect(down.state == .ok)
    #expect(down.advice != nil)
  }

  @Test(arguments: [(0, 1), (1, 0), (1, 1)])
  func `only switches of Bluetooth count, the harder first`(soft: Int, hard: Int) throws {
    try rfkill(1, type: "bluetooth", soft: soft, hard: hard)
    let found = try check("rfkill")
    #expect(found.state == .problem)
    #expect(found.finding.hasSuffix(": hci1"))
    #expect(found.advice?.contains("rfkill unblock") == (hard == 0))
  }

  @Test func `no switches`() throws {
    try FileManager.default.removeItem(at: folder.url.appending(path: "sys"))
    #expect(try check("rfkill").state == .unknown)
  }

  /// Bits of linux/capability.h: CAP_NET_ADMIN 12, CAP_NET_RAW 13.
  @Test(arguments: [
    ("0000000000000000", MachineCheck.State.problem), ("0000000000001000", .problem),
    ("0000000000002000", .warning), ("000001ffffffffff", .ok),
  ])
  func `capabilities`(mask: String, state: MachineCheck.State) throws {
    try write("CapPrm:\t000001ffffffffff\nCapEff:\t\(mask)\n", "proc/self/status")
    let found = try check("capabilities")
    #expect(found.state == state)
    #expect((found.advice?.contains("setcap") ?? false) == (state != .ok))
  }

  @Test(arguments: [
    ("4.11.3", MachineCheck.State.warning), ("4.12.0", .ok), ("5.0", .ok), ("", .unknown),
  ])
  func `kernels`(release: String, state: MachineCheck.State) throws {
    var probes = probes
    probes.kernel = { release }
    #expect(probes.kernelCheck.state == state)
  }

  @Test func `programs are found by name, and by their HCI sockets`() throws {
    try write("btmon\n", "proc/12/comm")
    #expect(try check("scanners").state == .ok)
    try write("bluetoothd\n", "proc/11/comm")
    try write("mine\n", "proc/13/comm")
    try write("other\n", "proc/14/comm")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "proc/13/fd"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("proc/13/fd/5"), withDestinationPath: "socket:[4711]")
    try write(
      "sk               RefCnt Rmem   Wmem   User   Inode  Parent\n"
        + "0000000000000000 2      0      0      0      4711   0     \n", "proc/net/hci")
    let found = try check("scanners")
    #expect(found.state == .warning)
    #expect(found.finding.hasPrefix("bluetoothd (11), btmon (12), mine (13): "))
    #expect(found.advice?.contains("stop bluetooth") == true)
  }

  @Test(arguments: [
    ("capture hci0 -o x.h5", true), ("capture -o x.h5", true), ("capture user:1 --active", true),
    ("capture --receiver hall h4:tcp:127.0.0.1:9117", true), ("watch", true),
    ("watch --ranging hci1", true), ("watch --calibration cal.json", true),
    ("serve hci0 --site site.toml", true), ("locate hci0 --calibration cal.json", true),
    ("calibrate --distance 1m", true), ("session join hall --broker mqtt://b -o p.h5", true),
    ("session join hall user:0 --broker mqtt://b", true),
    ("session start hall --broker mqtt://b -o p.h5", true),
    ("advertise eddystone-url:https://example.org --measured-power -59", true),
    ("serve walks.h5", false), ("serve walks.h5 --receiver hci0", false),
    ("fit distances.csv", false),
    ("capture mqtt://broker.local/gw/#", false), ("capture replay:walk.btsnoop", false),
    ("watch --ranging walks.h5", false), ("watch -", false),
    ("locate walks.h5 --node hci0", false),
    ("calibrate one.h5 two.h5", false), ("session who --broker mqtt://b", false),
    ("session join hall replay:walk.h5 --broker mqtt://b", false),
    ("advertise eddystone-url:https://example.org --measured-power -59 --print", false),
    ("import hci0.btsnoop -o hci0.h5", false), ("pack --quiet x.h5", false), ("", false),
  ])
  func `a process of this program counts if it uses a radio`(arguments: String, isScanner: Bool)
    throws
  {
    try write("rssi\n", "proc/21/comm")
    try write(
      ("rssi " + arguments).split(separator: " ").joined(separator: "\0") + "\0", "proc/21/cmdline")
    let found = try check("scanners")
    #expect(found.state == (isScanner ? .warning : .ok))
    #expect(found.finding.contains("rssi (21)") == isScanner)
  }

  @Test func `a monitor only listens, and an HCI socket counts whatever the command line`() throws {
    try write("rssi\n", "proc/21/comm")
    try write("rssi\0capture\0monitor\0", "proc/21/cmdline")
    #expect(try check("scanners").state == .ok)
    #expect(try check("scanners").finding.contains("only listens"))
    try write("rssi\n", "proc/22/comm")
    try write("rssi\0serve\0walks.h5\0", "proc/22/cmdline")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "proc/22/fd"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("proc/22/fd/5"), withDestinationPath: "socket:[4711]")
    try write(
      "sk RefCnt Rmem Wmem User Inode Parent\n0 2 0 0 0 4711 0\n", "proc/net/hci")
    #expect(try check("scanners").finding.hasPrefix("rssi (21), rssi (22): "))
  }

  @Test mutating func `other missing parts`() throws {
    probes.isSynchronised = { false }
    probes.answer = { _ in nil }
    probes.drawingProgram = { (_) throws(RSSIError) in
      throw RSSIError(.unavailable, "not installed")
    }
    for (space, state) in [
      (1_000_000, .problem), (500_000_000, .warning), (nil, .unknown),
    ] as [(UInt64?, MachineCheck.State)] {
      probes.freeSpace = { space }
      #expect(try check("disk").state == state)
    }
    #expect(try check("clock").state == .warning)
    #expect(try check("gnuplot").state == .warning)
    #expect(try check("bluez").state == .ok)
  }

  @Test(.enabled(if: Broker.isInstalled))
  func `brokers`() throws {
    let broker = try Broker(in: folder)
    var request = DoctorRequest()
    request.broker = "mqtt://127.0.0.1:\(broker.port)"
    #expect(try DoctorStage(request).run(in: probes).last?.state == .ok)
    broker.stop()
    let silent = try #require(DoctorStage(request).run(in: probes).last)
    #expect((silent.name, silent.state) == ("broker", .problem))
    #expect(silent.advice != nil)
    request.broker = "broker.local"
    #expect(throws: RSSIError.self) { try DoctorStage(request).run(in: probes) }
  }

  @Test func `this machine answers every question`() throws {
    let checks = try DoctorStage(DoctorRequest()).run(
      in: MachineProbes(drawingProgram: { "/usr/bin/\($0)" }))
    for name in ["kernel", "capabilities", "disk", "libraries", "scanners"] {
      #expect(checks.first { $0.name == name }?.state != .unknown, "\(name)")
    }
  }
}
