import Foundation
import TestSupport
import Testing

/// `rssi watch` on terminals of tmux: what is drawn, and what is left when it ends.
@Suite(.needs(program: "/usr/bin/tmux"))
struct WatchScreenTests {
  private let folder: TemporaryDirectory
  private let walk: String

  init() throws {
    folder = try TemporaryDirectory()
    walk = try simulatedRoom(in: folder) + "/walk-1.btsnoop"
  }

  /// Watches a walk that lasts longer than the test.
  private func watching(
    columns: Int, rows: Int, environment: [String: String] = [:], _ options: String = ""
  ) throws -> TmuxScreen {
    let screen = try TmuxScreen(columns: columns, rows: rows, environment: environment)
    // At once after it, before the shell sets up the terminal for itself.
    let settings = "stty -a | grep -oE -- '-?\\b(icanon|echo)\\b' | paste -sd+"
    try screen.type(
      "echo before; \(builtProgram) watch replay:\(longWalk.get()) \(options); \(settings)")
    #expect(try screen.waits { $0.contains { $0.contains("8 in sight") } })
    return screen
  }

  private func isShell(_ lines: [String]) -> Bool {
    lines.contains("before") && lines.last { !$0.isEmpty } == "$"
  }

  @Test func `draws and leaves the shell as it was`() throws {
    let screen = try watching(columns: 110, rows: 30)
    let lines = try screen.lines
    #expect(lines[0].hasPrefix(" rssi watch  replay:"))
    #expect(lines[1].hasPrefix("UUID "))
    #expect(lines[2].contains("beacon") && lines[2].contains("metres"))
    #expect(lines[3].contains(#/^[A-H]  1:\d /#))
    #expect(lines.contains { $0.contains("◉") } && !lines.contains("before"))
    #expect(try screen.property("alternate_on") == "1")
    #expect(try screen.property("cursor_flag") == "0")
    #expect(try screen.colours.contains("\u{1B}[35m") || screen.colours.contains("\u{1B}[36m"))
    try screen.press("q")
    #expect(try screen.waits(until: isShell))
    #expect(try screen.property("alternate_on") == "0")
    #expect(try screen.property("cursor_flag") == "1")
    #expect(try screen.property("wrap_flag") == "1")
    #expect(try screen.lines.contains("icanon+echo"))
    // Messages on the screen can be read again.
    #expect(try screen.lines.contains { $0.hasPrefix("warning: without") })
  }

  @Test func `follows the size of the terminal`() throws {
    let screen = try watching(columns: 110, rows: 30)
    try screen.resize(columns: 60, rows: 14)
    #expect(
      try screen.waits { $0[0].hasSuffix("UTC") && $0[0].count <= 60 && !$0.joined().contains("◉") }
    )
    try screen.resize(columns: 30, rows: 6)
    #expect(try screen.waits { $0[0].hasPrefix("   beacon") && !$0.joined().contains("events") })
    try screen.resize(columns: 80, rows: 24)
    #expect(try screen.waits { $0.joined().contains("◉") && $0.joined().contains("events") })
    try screen.press("r")
    #expect(try screen.waits { !$0.joined().contains("◉") })
  }

  @Test func `scrolls a long list`() throws {
    let screen = try watching(columns: 60, rows: 10)
    #expect(
      try screen.waits { $0.joined().contains("1–4 of 8") || $0.joined().contains("without") })
    try screen.press("End")
    #expect(try screen.waits { $0.joined().contains("5–8 of 8") })
    try screen.press("PageUp")
    #expect(try screen.waits { $0.joined().contains("1–4 of 8") })
  }

  @Test func `keys pause search and explain`() throws {
    let screen = try watching(columns: 80, rows: 24)
    try screen.press("?")
    #expect(try screen.waits { $0.joined().contains("any key closes") })
    try screen.press("x", "/", "1", ":", "1", "Enter", "Down", "Enter")
    #expect(try screen.waits { $0[1].contains(#/^beacon [A-H]    ibeacon:\S+:1:1$/#) })
    try screen.press("Escape")
    #expect(try screen.waits { $0.joined().contains("/1:1: 1 of 8") })
    try screen.press("Space")
    #expect(try screen.waits { $0.joined().contains("PAUSED") })
    try screen.press("q")
    #expect(try screen.waits(until: isShell))
  }

  @Test(arguments: ["C-c", "TERM", "HUP"])
  func `signals put the terminal back`(signal: String) throws {
    let screen = try watching(columns: 80, rows: 24)
    if signal == "C-c" {
      try screen.press(signal)
    } else {
      try screen.send(signal, to: "rssi")
    }
    #expect(try screen.waits(until: isShell))
    #expect(try screen.lines.contains("icanon+echo"))
    #expect(try screen.property("cursor_flag") == "1")
    #expect(try screen.property("alternate_on") == "0")
  }

  @Test func `stops and goes on`() throws {
    let screen = try watching(columns: 80, rows: 24)
    try screen.press("C-z")
    #expect(try screen.waits { $0.contains("before") && $0.joined().contains("Stopped") })
    #expect(try screen.property("cursor_flag") == "1")
    try screen.type("fg")
    #expect(try screen.waits { $0[0].contains("8 in sight") && !$0.contains("before") })
    try screen.press("q")
    #expect(try screen.waits { $0.contains("fg") || $0.contains("$ fg") })
    #expect(try screen.property("alternate_on") == "0")
  }

  @Test func `respects no color and plain locales`() throws {
    let screen = try watching(
      columns: 110, rows: 30, environment: ["NO_COLOR": "1", "LC_ALL": "C", "LANG": "C"])
    let text = try screen.colours
    // Colours are 30 to 37; 39 and 49 are none.
    #expect(!text.contains(/\u{1B}\[([0-9;]*;)?3[0-7]m/))
    #expect(try screen.lines.joined().utf8.allSatisfy { $0 < 0x80 })
    #expect(try screen.lines.joined().contains("near") || screen.lines.joined().contains("far"))
  }

  @Test func `dumb terminals get text`() throws {
    let screen = try TmuxScreen(columns: 110, rows: 30)
    try screen.type("TERM=dumb \(builtProgram) watch replay:\(walk) --speed max")
    #expect(try screen.waits { $0.joined().contains(" appeared (") })
    #expect(try screen.property("alternate_on") == "0")
  }

  @Test func `the last table of an ended recording remains`() throws {
    let screen = try TmuxScreen(columns: 110, rows: 40)
    try screen.type("echo before; \(builtProgram) watch replay:\(walk) --speed 40")
    #expect(try screen.waits(until: isShell))
    let lines = try screen.lines
    #expect(lines.contains { $0.hasPrefix("A  ") } && lines.contains { $0.hasPrefix("H  ") })
  }

  @Test func `streams are drawn without keys`() throws {
    let screen = try TmuxScreen(columns: 110, rows: 30)
    try screen.type(
      "echo before; (for t in 1 2 3 4 5; do echo '{\"time_s\":170000000'$t'.5,\"beacon\":\"b\\u001b[2J\",\"receiver\":\"r\",\"rssi_dbm\":-60}'; done; sleep 600) | \(builtProgram) watch -"
    )
    #expect(
      try screen.waits { $0[0].contains("1 in sight") && $0.joined().contains("Ctrl-C ends") })
    try screen.press("C-c")
    #expect(try screen.waits { $0.contains("before") })
    #expect(try screen.property("alternate_on") == "0")
    #expect(try screen.property("cursor_flag") == "1")
  }

  @Test func `errors can be read afterwards`() throws {
    let screen = try TmuxScreen(columns: 110, rows: 30)
    try screen.type("echo before; \(builtProgram) watch replay:/nowhere; echo \"ended $?\"")
    #expect(try screen.waits { $0.contains("ended 66") })
    #expect(try screen.lines.contains { $0.hasPrefix("rssi: ") && $0.contains("/nowhere") })
    #expect(try screen.property("alternate_on") == "0")
  }

  @Test func `anything else than a terminal gets lines`() throws {
    let lines = try rssi("watch", "replay:\(walk)", "--speed", "max")
    #expect(lines.output.hasPrefix("{\"time_s\""))
    let text = try rssi("watch", walk, "--format", "text", "--ranging")
    #expect(
      text.exitCode == 0 && text.output.contains(" appeared (") && text.output.contains("metres"))
    #expect(!text.output.contains("\u{1B}"))
    let asked = try rssi("watch", "replay:\(walk)", "--speed", "max", "--format", "screen")
    #expect(asked.output.contains(" appeared (") && asked.error.contains("not a terminal"))
    #expect(try rssi("watch", walk, "--format", "screen").exitCode == 64)
    #expect(try rssi("watch", walk, "--bell").exitCode == 64)
  }

  @Test func `rings the bell where asked to`() throws {
    let arguments = ["watch", "replay:\(walk)", "--speed", "max", "--format", "text"]
    let silent = try onTerminal(arguments)
    let ringing = try onTerminal(arguments + ["--bell"])
    #expect(silent.exitCode == 0 && !silent.output.contains("\u{7}"))
    #expect(ringing.output.split(separator: "\u{7}").count == 2)
  }
}
