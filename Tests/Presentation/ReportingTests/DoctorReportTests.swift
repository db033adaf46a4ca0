import LivePipelines
import Reporting
import Testing

@Suite struct DoctorReportTests {
  private let report = DoctorReport([
    MachineCheck("adapter", .ok, "hci0 \u{1B}[2J up"),
    MachineCheck("rfkill", .problem, "blocked", advice: "run `rfkill unblock bluetooth`"),
    MachineCheck("clock", .warning, "not kept right", advice: "set it"),
    MachineCheck("disk", .unknown, "not known"),
  ])

  @Test func `names are aligned, and nothing steers a terminal`() {
    #expect(
      report.text(isUnicode: true, isColoured: false) == #"""
        ✓ adapter  hci0 \u{1b}[2J up
        ✗ rfkill   blocked
                   → run `rfkill unblock bluetooth`
        ! clock    not kept right
                   → set it
        ? disk     not known
        1 problem, 1 warning

        """#)
  }

  @Test func `ASCII alone`() {
    let text = report.text(isUnicode: false, isColoured: false)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.hasPrefix("+ adapter"))
    #expect(text.contains("\nx rfkill"))
    #expect(text.contains("-> set it"))
  }

  @Test func `only marks are coloured`() {
    let lines = report.text(isUnicode: true, isColoured: true).split(separator: "\n")
    #expect(lines[0].hasPrefix("\u{1B}[0;1;32m✓\u{1B}[0m adapter"))
    #expect(lines.last == "1 problem, 1 warning")
  }

  @Test func `ready`() {
    let good = MachineCheck("a", .ok, "b")
    let warned = MachineCheck("a", .warning, "b")
    func text(_ check: MachineCheck) -> String {
      DoctorReport([check]).text(isUnicode: true, isColoured: false)
    }
    #expect(text(good).hasSuffix("\nready to record\n"))
    #expect(text(warned).hasSuffix("\n1 warning: ready to record\n"))
  }
}
