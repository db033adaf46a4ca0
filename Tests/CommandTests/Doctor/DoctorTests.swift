import Foundation
import TestSupport
import Testing

@Suite("rssi doctor")
struct DoctorCommandTests {
  @Test func `JSON has every check, and the exit code shows problems`() throws {
    let result = try rssi("doctor", "--json")
    let report = try json(result.output)
    #expect(Set(report.keys) == ["checks"])
    let checks = try #require(report["checks"] as? [[String: Any]])
    #expect(checks.count == 11)
    for check in checks {
      #expect(Set(check.keys) == ["name", "state", "finding", "advice"])
      // What is wrong has a remedy.
      let needsAdvice = ["warning", "problem"].contains(check["state"] as? String)
      #expect(!needsAdvice || check["advice"] is String, "\(check)")
    }
    let hasProblem = checks.contains { $0["state"] as? String == "problem" }
    #expect(result.exitCode == (hasProblem ? 1 : 0))
    #expect(result.error.isEmpty != hasProblem)
  }

  @Test func `text for people has no codes in a pipe and no more than ASCII in C`() throws {
    let result = try runProgram(builtProgram, ["doctor"], environment: ["LANG": "C", "PATH": ""])
    #expect(result.output.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B })
    #expect(result.output.contains("! gnuplot"))
  }

  @Test func `an address without a broker`() throws {
    #expect(try rssi("doctor", "--broker", "broker.local").exitCode == 64)
    let refused = try rssi("doctor", "--broker", "mqtt://127.0.0.1:\(reservedPort())")
    #expect(refused.exitCode == 1)
    #expect(refused.output.contains("no MQTT broker"))
  }
}
