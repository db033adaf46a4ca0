import Foundation
import TestSupport
import Testing

/// The program and a controller at the end of a socket, which records its commands.
@Suite("rssi advertise, on a controller") struct AdvertiseControllerTests {
  private static let beacon = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2"
  private let folder: TemporaryDirectory
  private let source: String
  private var snoop: String { folder.path("commands.btsnoop") }

  init() throws {
    folder = try TemporaryDirectory()
    source = "h4:unix:" + folder.path("hci")
  }

  private func controller(_ options: String...) throws -> RunningProgram {
    let script = repositoryRoot.appending(path: "Tests/Rig/emu/h4_advertiser.py").path
    let controller = try RunningProgram(
      pythonPath, [script, folder.path("hci"), snoop] + options)
    try #require(controller.waits { controller.output.contains("ready") }, "\(controller.error)")
    return controller
  }

  private func advertise(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram(
      builtProgram,
      ["advertise"] + arguments.prefix(1) + [source, "--measured-power", "-59"]
        + arguments.dropFirst())
  }

  /// The opcodes that a controller was given, in order.
  private func opcodes(_ controller: RunningProgram) -> [String] {
    controller.output.split(separator: "\n").map { String($0.prefix(4)) }.filter {
      Int($0, radix: 16) != nil
    }
  }

  /// Both ends of the program's life: Ctrl-C and SIGTERM; the controller is left as it was found.
  @Test(arguments: [SIGINT, SIGTERM])
  func `ends when asked`(signal: Int32) throws {
    let controller = try controller()
    let program = try advertise(Self.beacon, "--json")
    #expect(program.waits { program.error.contains("advertises") })
    program.send(signal)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
    _ = controller.wait()
    #expect(opcodes(controller).suffix(5) == ["2036", "2037", "2039", "2039", "203c"])
    #expect(controller.output.contains("2039 0101ef000000\n2039 0001ef000000\n203c ef\nclosed"))
    let report = try json(result.output)
    #expect(report["address"] as? String == "00:AA:55:5E:00:02")
    #expect(report["tx_power_dbm"] as? Int == 6)
    #expect(report["restarts"] as? Int == 0)
    #expect(result.error.contains("every 100 ms"))
  }

  /// The commands of either family, as tshark decodes them.
  @Test(.needs(program: "/usr/bin/tshark"))
  func `tshark reads the same`() throws {
    do {
      let controller = try controller()
      let program = try advertise(
        Self.beacon, "--interval", "152.5ms", "--extended", "--phy", "coded", "--tx-power", "-8",
        "--address", "C0:DE:00:00:00:01", "--duration", "300ms")
      #expect(program.wait().exitCode == 0)
      _ = controller.wait()
    }
    #expect(
      try tsharkFields(
        snoop,
        "bthci_cmd.opcode == 0x2036", "bthci_cmd.advertising_handle",
        "bthci_cmd.advertising_properties", "bthci_cmd.primary_advertising_phy",
        "bthci_cmd.secondary_advertising_phy", "bthci_cmd.le_own_address_type",
        "bthci_cmd.power_level", "bthci_cmd.advertising_sid"
      ) == [["0xef", "0x0000", "0x03", "0x03", "0x01", "-8", "0x00"]])
    #expect(
      try tsharkFields(
        snoop,
        "bthci_cmd.opcode == 0x2037", "bthci_cmd.adv_data_operation", "bthci_cmd.le_data_length",
        "btcommon.eir_ad.entry.company_id", "btcommon.eir_ad.entry.data"
      ) == [["0x03", "30", "0x004c", "0215e2c56db5dffb48d2b060d0f5a71096e000010002c5"]])
    #expect(
      try tsharkFields(snoop, "bthci_cmd.opcode == 0x2035", "bthci_cmd.bd_addr") == [
        ["c0:de:00:00:00:01"]
      ])
    #expect(
      try tsharkFields(snoop, "_ws.malformed || _ws.expert.severity >= 6291456", "frame.number")
        == [])
    do {
      let controller = try controller("legacy")
      let program = try advertise(Self.beacon, "--interval", "152.5ms", "--duration", "300ms")
      #expect(program.wait().exitCode == 0)
      _ = controller.wait()
    }
    #expect(
      try tsharkFields(
        snoop,
        "bthci_cmd.opcode == 0x2006", "bthci_cmd.le_advts_interval_min",
        "bthci_cmd.le_advts_interval_max", "bthci_cmd.le_advts_type",
        "bthci_cmd.le_own_address_type", "bthci_cmd.le_advts_ch_map_1",
        "bthci_cmd.le_advts_filter_policy"
      ) == [["244", "244", "0x03", "0x00", "0x01", "0x00"]])
    #expect(
      try tsharkFields(
        snoop, "bthci_cmd.opcode == 0x2008", "bthci_cmd.le_data_length",
        "btcommon.eir_ad.entry.data")
        == [["30", "0215e2c56db5dffb48d2b060d0f5a71096e000010002c5"]])
    #expect(
      try tsharkFields(snoop, "bthci_cmd.opcode == 0x200a", "bthci_cmd.le_advts_enable") == [
        ["0x01"], ["0x00"],
      ])
    #expect(
      try tsharkFields(snoop, "_ws.malformed || _ws.expert.severity >= 6291456", "frame.number")
        == [])
  }

  /// Telemetry takes turns with the beacon's own frame.
  @Test func `interleaves telemetry`() throws {
    let controller = try controller("legacy")
    let program = try advertise(
      "eddystone-uid:00010203040506070809:AABBCCDDEEFF", "--tlm", "--battery", "3000",
      "--temperature", "21.5", "--duration", "6s")
    #expect(program.wait().exitCode == 0)
    _ = controller.wait()
    let data = controller.output.split(separator: "\n").filter { $0.hasPrefix("2008") }.map {
      String($0.dropFirst(5))
    }
    let uid = "1f0201060303aafe1716aafe00ee00010203040506070809aabbccddeeff0000"
    #expect(data.count == 3)
    #expect(data.first == uid)
    #expect(data.last == uid)
    // 44 or so advertisements in the first 4.68 s.
    #expect(
      data.dropFirst().first?.hasPrefix("190201060303aafe1116aafe20000bb815800000002c0000002e")
        == true)
  }

  @Test func `comes through a failure`() throws {
    let controller = try controller("fail-after=0.5")
    let program = try advertise(Self.beacon, "--json")
    #expect(program.waits { opcodes(controller).filter { $0 == "2039" }.count == 2 })
    program.send(SIGINT)
    let result = program.wait()
    #expect(result.exitCode == 0)
    #expect(
      result.error.contains("unix:\(folder.path("hci")) was reset; starting to advertise again"))
    #expect(try json(result.output)["restarts"] as? Int == 1)
    _ = controller.wait()
    #expect(opcodes(controller).last == "203c")
  }

  @Test func `reports a missing controller`() throws {
    let controller = try controller()
    let program = try advertise(Self.beacon)
    #expect(program.waits { program.error.contains("advertises") })
    controller.send(SIGKILL)
    let result = program.wait()
    #expect(result.exitCode == 69)
    #expect(result.error.contains("advertise again"))
  }

  @Test(arguments: [
    (["legacy"], ["--extended"], 64, "no extended"),
    (["legacy"], ["--tx-power", "4"], 64, "the transmit power"),
    (["legacy"], ["--interval", "50ms"], 64, "use 100 ms or more"),
    (["refuse=2036:07"], [], 69, "(0x07)"),
    (["refuse=2037:12"], [], 69, "refuses LE Set"),
    (["legacy", "refuse=2006:0c"], [], 69, "it was reset"),
  ])
  func `names the refused command`(
    controls: [String], options: [String], code: Int32, words: String
  )
    throws
  {
    let script = repositoryRoot.appending(path: "Tests/Rig/emu/h4_advertiser.py").path
    let controller = try RunningProgram(
      pythonPath, [script, folder.path("hci"), snoop] + controls)
    try #require(controller.waits { controller.output.contains("ready") }, "\(controller.error)")
    let result = try runProgram(
      builtProgram, ["advertise", Self.beacon, source, "--measured-power", "-59"] + options)
    #expect(result.exitCode == code)
    #expect(result.error.contains(words), "\(result.error)")
    #expect(result.output == "")
    _ = controller.wait()
    #expect(!controller.output.contains("2039 01"))
  }

  /// Quiet is quiet, and the report still is there.
  @Test func `is quiet on request`() throws {
    let controller = try controller()
    let program = try advertise(Self.beacon, "--quiet", "--duration", "300ms")
    let result = program.wait()
    #expect(result.exitCode == 0)
    #expect(result.error == "")
    #expect(
      result.output.hasPrefix("\(Self.beacon): ") && result.output.contains("advertised 0:00 by"))
    _ = controller.wait()
  }
}
