import Foundation
import TestSupport
import Testing

/// Faults of radios, and the behaviour of a capture.
extension GuestTests {
  private static let report =
    "ADV_NONCONN_IND public 00:1A:7D:DA:71:01 -59 "
    + "0201061AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000010002C5"

  /// A scenario of one's own; it plays again with each start of scanning.
  private func scenario(_ lines: String...) throws -> (folder: TemporaryDirectory, path: String) {
    let folder = try TemporaryDirectory()
    return (folder, try folder.write(lines.joined(separator: "\n") + "\n", to: "scenario.txt"))
  }

  /// The kernel resets a controller that failed, and nothing is heard any more.
  @Test func `scans again after a hardware error`() throws {
    // A dozen reports and one failure per pass, over and over.
    let guest = try Guest.run(
      scenario: Guest.scenario("faults/hwerror"), controller: "-n 0",
      "rssi capture hci0 -o x.h5 --count 40")
    try #require(guest.exitCode == 0, "\(guest.error)")
    let gaps = try gaps(of: guest.out.path("x.h5"))
    #expect(gaps.count >= 2)
    #expect(gaps.allSatisfy { $0.reason == "reset" && $0.dropped == 0 }, "\(gaps)")
  }

  /// A controller that goes deaf, for 0.8 s in each pass, sends nothing.
  @Test func `scans again after silence`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("faults/scanoff"), controller: "-n 0 -v",
      "rssi capture hci0 -o x.h5 --count 8 --silence 300ms")
    try #require(guest.exitCode == 0, "\(guest.error)")
    let gaps = try gaps(of: guest.out.path("x.h5"))
    #expect(gaps.count >= 2)
    #expect(gaps.allSatisfy { $0.reason == "silence" && $0.dropped == 0 && $0.duration >= 0.3 })
    let starts = guest.text("emulator.log").components(separatedBy: "scan enable 1").count - 1
    #expect(starts > gaps.count)
  }

  /// A controller that answers no command for six seconds, not even the kernel's.
  @Test func `comes through a controller that answers nothing`() throws {
    let fault = try scenario("0 \(Self.report)", "100 !mute 6000")
    let guest = try Guest.run(
      scenario: fault.path, controller: "-n 2",
      """
      rssi capture hci0 -o x.h5 --count 2 --silence 1s; echo $? >exit.txt
      hciconfig hci0 >state.txt
      """)
    #expect(guest.text("exit.txt") == "0\n", "\(guest.error)")
    #expect(try !gaps(of: guest.out.path("x.h5")).isEmpty)
    #expect(guest.text("state.txt").contains("DOWN"))
  }

  @Test func `ends or waits when the adapter is unplugged`() throws {
    let unplug = Guest.scenario("faults/unplug")
    let guest = try Guest.run(
      scenario: unplug,
      """
      rssi capture hci0 -o ended.h5 2>ended.txt; echo $? >>ended.txt
      emulator \(unplug)
      until hciconfig hci0 >/dev/null 2>&1; do sleep 0.2; done
      rssi capture hci0 -o waited.h5 --wait --count 7 2>waited.txt & capture=$!
      until grep -q waiting waited.txt; do sleep 0.2; done
      emulator \(Guest.scenario("three_beacons"))
      wait $capture; echo $? >>waited.txt
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(guest.text("ended.txt").contains("hci0 is gone"))
    #expect(guest.text("ended.txt").hasSuffix("\n69\n"))
    #expect(try differences(guest.out.path("ended.h5"), unplug) == "")
    #expect(guest.text("waited.txt").contains("hci0 is back"))
    #expect(guest.text("waited.txt").hasSuffix("\n0\n"))
    // What both controllers played, one after the other.
    let both =
      try String(contentsOfFile: unplug, encoding: .utf8)
      + String(contentsOfFile: Guest.scenario("three_beacons"), encoding: .utf8)
    let scenario = try scenario(both)
    #expect(try differences(guest.out.path("waited.h5"), scenario.path) == "")
    for trace in ["ended.h5", "waited.h5"] {
      #expect(try gaps(of: guest.out.path(trace)).map(\.reason) == ["unplugged"])
    }
  }

  /// The clock is set forward by an hour: times follow it, and both clocks are in the file.
  @Test func `notices that the clock was set`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("steady"), controller: "-n 0",
      """
      rssi capture hci0 -o x.h5 2>told.txt & capture=$!
      until [ $(heard x.h5) -gt 20 ]; do sleep 0.2; done
      /bin/date -s '+1 hour' >/dev/null
      until grep -q 'clock was set' told.txt; do sleep 0.2; done
      before=$(heard x.h5)
      until [ $(heard x.h5) -gt $((before + 20)) ]; do sleep 0.2; done
      kill $capture
      wait $capture
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(guest.text("told.txt").contains("clock was set"))
    #expect(try gaps(of: guest.out.path("x.h5")).map(\.reason) == ["clock-step"])
    let undone = """
      import sys, h5py, numpy as np
      f = h5py.File(sys.argv[1])
      times, clock = f['sightings/time_s'][:], f['clock']
      assert np.diff(times).max() > 3590, 'times are those of the clock'
      # The readings undo the step: from each sighting the offset of the reading nearest to it.
      offset = clock['time_s'][:] - clock['monotonic_s'][:]
      nearest = np.abs(times[:, None] - clock['time_s'][:]).argmin(axis=1)
      steady = times - offset[nearest]
      assert abs(np.ptp(offset) - 3600) < 1, offset
      # A slow machine hears nothing for seconds, but the hour is gone.
      print(np.ptp(steady) < 600)
      """
    let result = try runPython(undone, [guest.out.path("x.h5")])
    #expect(result.output == "True\n", "\(result.error)")
  }

  /// Another program's discovery switches the scan to its own, then off.
  @Test func `takes the scan back from another program`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("steady"), controller: "-n 0 -v",
      """
      rssi capture hci0 -o x.h5 2>told.txt & capture=$!
      until grep -q 'enable 1 dup 0' emulator.log; do sleep 0.1; done
      # It needs a standard input that stays open, and does not end by itself.
      mkfifo /tmp/input
      until grep -q 'another program' told.txt; do
        timeout 4 btmgmt -i 0 find -l <>/tmp/input >>btmgmt.txt 2>&1
      done
      before=$(heard x.h5)
      until [ $(heard x.h5) -gt $((before + 20)) ]; do sleep 0.2; done
      kill $capture
      wait $capture
      """)
    try #require(guest.exitCode == 0, "\(guest.error) \(guest.text("btmgmt.txt"))")
    #expect(guest.text("told.txt").contains("capture from user:N"))
    #expect(guest.text("emulator.log").contains("ext scan enable 1 dup 1"))
    let found = try gaps(of: guest.out.path("x.h5"))
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.reason == "interference" && $0.duration >= 0 })
    // It goes on hearing after the last of them.
    let after = """
      import sys, h5py
      f = h5py.File(sys.argv[1])
      print(f['sightings/time_s'][-1] > f['gaps/end_s'][-1])
      """
    #expect(try runPython(after, [guest.out.path("x.h5")]).output == "True\n")
  }

  /// 20,001 events as fast as they go: with CAP_NET_ADMIN the kernel holds them all.
  @Test func `loses nothing of a flood`() throws {
    let path = Guest.scenario("faults/flood")
    let guest = try Guest.run(
      scenario: path, "rssi capture hci0 -o x.h5 --count 20001")
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(try differences(guest.out.path("x.h5"), path) == "")
    #expect(try gaps(of: guest.out.path("x.h5")) == [])
  }

  /// The same flood while the program is stopped, with the small buffer that CAP_NET_RAW alone
  /// gives: what the kernel threw away and what arrived are what was sent, to the last event.
  @Test func `counts what the kernel throws away`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("faults/flood"), controller: "-v",
      """
      hciconfig hci0 up
      setpriv --bounding-set -net_admin --inh-caps -net_admin \
        rssi capture hci0 -o x.h5 & capture=$!
      until grep -q 'enable 1' emulator.log; do sleep 0.02; done
      kill -STOP $capture
      until grep -q 'scenario done' emulator.log; do sleep 0.2; done
      kill -CONT $capture
      finish $capture
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    let found = try gaps(of: guest.out.path("x.h5"))
    // A program that is stopped for long also finds silence, where nothing is known to be lost.
    #expect(found.allSatisfy { $0.reason == "overflow" || $0.dropped == 0 })
    let dropped = found.reduce(0) { $0 + $1.dropped }
    #expect(dropped > 1000)
    let rows = try runPython(
      "import sys, h5py; print(len(h5py.File(sys.argv[1])['sightings/rssi_dbm']))",
      [guest.out.path("x.h5")])
    let received = try #require(Int(rows.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(received + dropped == 20001)
  }

  @Test func `counts malformed events`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("faults/garbage"), "rssi capture hci0 -o x.h5 --count 2")
    try #require(guest.exitCode == 0, "\(guest.error)")
    let info = try json(rssi("info", "--json", guest.out.path("x.h5")).output)
    #expect(info["sightings"] as? Int == 2)
    let rejected = try #require(info["rejected"] as? [String: Int])
    #expect(
      rejected == ["bad-length": 2, "no-reports": 1, "truncated-event": 1, "truncated-report": 1])
  }
}
