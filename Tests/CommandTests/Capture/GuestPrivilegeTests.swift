import Foundation
import TestSupport
import Testing

/// The privileges of a capture, its sources, and the adapter afterwards.
extension GuestTests {
  private static let helpful = "run `sudo setcap cap_net_raw,cap_net_admin+ep \(builtProgram)` once"

  @Test func `names the command that helps without privileges`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("three_beacons"),
      """
      neither="setpriv --bounding-set -net_raw,-net_admin --inh-caps -net_raw,-net_admin"
      raw="setpriv --bounding-set -net_admin --inh-caps -net_admin"
      for source in hci0 monitor user:0; do
        $neither rssi capture $source -o refused.h5 2>>$source.txt; echo $? >>$source.txt
      done
      $raw rssi capture hci0 -o refused.h5 2>>down.txt; echo $? >>down.txt
      ls >names.txt
      hciconfig hci0 >state.txt
      hciconfig hci0 up
      # Up, CAP_NET_RAW is enough.
      $raw rssi capture hci0 -o heard.h5 & capture=$!
      finish $capture
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    for refused in ["hci0.txt", "monitor.txt", "user:0.txt", "down.txt"] {
      #expect(guest.text(refused).contains(Self.helpful), "\(refused)")
      #expect(guest.text(refused).hasSuffix("\n77\n"), "\(refused)")
    }
    // Neither a file is left behind, nor is the adapter touched.
    #expect(!guest.text("names.txt").contains("refused.h5"))
    #expect(guest.text("state.txt").contains("DOWN"))
    #expect(
      try differences(guest.out.path("heard.h5"), Guest.scenario("three_beacons")) == "")
  }

  @Test func `doctor finds the adapter and missing privileges`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("three_beacons"),
      """
      rssi doctor --json >down.json; echo $? >>codes.txt
      hciconfig hci0 up
      rssi doctor --json >up.json; echo $? >>codes.txt
      setpriv --bounding-set -net_raw,-net_admin --inh-caps -net_raw,-net_admin \\
        rssi doctor --json >refused.json 2>/dev/null; echo $? >>codes.txt
      unshare -n rssi doctor --json >none.json 2>/dev/null; echo $? >>codes.txt
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    func check(_ name: String, _ file: String) throws -> (state: String?, finding: String) {
      let checks = try #require(try json(guest.text(file))["checks"] as? [[String: Any]])
      let check = try #require(checks.first { $0["name"] as? String == name })
      return (check["state"] as? String, check["finding"] as? String ?? "")
    }
    let (down, up) = (try check("adapter", "down.json"), try check("adapter", "up.json"))
    #expect(down.state == "ok" && down.finding == "hci0 00:AA:55:5E:00:01 down")
    #expect(up.state == "ok" && up.finding == "hci0 00:AA:55:5E:00:01 up")
    #expect(try check("rfkill", "up.json").state == "ok")
    #expect(try check("capabilities", "up.json").state == "ok")
    #expect(try check("capabilities", "refused.json").state == "problem")
    #expect(try check("adapter", "none.json").state == "problem")
    #expect(guest.text("codes.txt") == "0\n0\n1\n1\n")
  }

  @Test func `lists the adapters there are`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("three_beacons"),
      """
      hciconfig hci0 up
      for source in hci7 user:7; do
        rssi capture $source -o x.h5 2>>listed.txt; echo $? >>listed.txt
      done
      # As in a container with a network of its own, where Bluetooth does not exist.
      unshare -n rssi capture hci0 -o x.h5 2>>apart.txt; echo $? >>apart.txt
      kill $(pidof vhci_beacons)
      until ! hciconfig hci0 >/dev/null 2>&1; do sleep 0.1; done
      rssi capture -o x.h5 2>>none.txt; echo $? >>none.txt
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    let listed = guest.text("listed.txt").split(separator: "\n").filter { $0 == "69" }
    #expect(listed.count == 2)
    #expect(
      guest.text("listed.txt").contains("hci0 00:AA:55:5E:00"))
    #expect(guest.text("apart.txt").contains("the kernel has none"))
    #expect(guest.text("apart.txt").hasSuffix("\n69\n"))
    #expect(guest.text("none.txt").contains("nor any other"))
    #expect(guest.text("none.txt").hasSuffix("\n69\n"))
  }

  /// Down stays down and up stays up; scanning is off, also after a failure.
  @Test func `leaves the adapter as it was`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("three_beacons"), controller: "-n 0 -v",
      """
      for state in down up; do
        hciconfig hci0 $state
        rssi capture hci0 -o $state.h5 --count 1 || exit 1
        hciconfig hci0 | grep -E 'UP|DOWN' >>states.txt
        grep 'scan enable' emulator.log | tail -n 1 >>states.txt
        rssi capture hci0 --phy coded --interval 1h -o $state.h5 2>>refused.txt
        hciconfig hci0 | grep -E 'UP|DOWN' >>states.txt
      done
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    let states = guest.text("states.txt").split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(
      states == [
        "DOWN", "ext scan enable 0 dup 0", "DOWN",
        "UP RUNNING", "ext scan enable 0 dup 0", "UP RUNNING",
      ])
  }
}
