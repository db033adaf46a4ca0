import Foundation
import TestSupport
import Testing

/// Two controllers of a kernel that hear each other: one advertises, the other captures.
extension GuestTests {
  private static let advertised = [
    (id: "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2", power: -59, options: ""),
    (
      id: "altbeacon:2F234454CF6D4A0FADF2F4911BA9FFA600010002", power: -77,
      options: "--address random"
    ),
    (id: "eddystone-uid:00010203040506070809:AABBCCDDEEFF", power: -64, options: "--extended"),
    (id: "eddystone-url:https://www.example.com/abc", power: -41, options: "--phy coded"),
  ]

  /// Identity, measured power and payload agree: the reported advertisement, what h5py finds in the
  /// trace and what tshark decodes of the receiver's events.
  @Test(.needs(program: "/usr/bin/btvirt"))
  func `another controller hears what is advertised`() throws {
    let runs = Self.advertised.enumerated().map { number, beacon in
      """
      rssi advertise '\(beacon.id)' hci1 --measured-power \(beacon.power) \(beacon.options) \
        --duration 300ms --json >\(number).json || exit 1
      """
    }
    let guest = try Guest.run(
      linked: 2,
      """
      hciconfig hci0 up
      hciconfig hci1 up
      btmon -w sent.btsnoop >/dev/null 2>&1 & monitor=$!
      rssi capture hci0 --phy 1m,coded -o heard.h5 --btsnoop heard.btsnoop & capture=$!
      until [ -e heard.h5 ]; do sleep 0.1; done
      \(runs.joined(separator: "\n"))
      kill $capture
      wait $capture
      hciconfig hci1 >state.txt
      kill $monitor
      wait $monitor
      """)
    #expect(guest.error.components(separatedBy: " advertises ").count == 5, "\(guest.error)")
    let reports = try Self.advertised.indices.map { try json(guest.text("\($0).json")) }
    let sent = try reports.map { try #require($0["payload"] as? String) }
    // A program that shares nothing with this one: the bytes of each AD structure.
    let heard = try tsharkFields(
      guest.out.path("heard.btsnoop"), "bthci_evt.le_meta_subevent == 0x0d",
      "bthci_evt.bd_addr", "bthci_evt.data_length", "btcommon.eir_ad.entry.type",
      "btcommon.eir_ad.entry.company_id", "btcommon.eir_ad.entry.data",
      "btcommon.eir_ad.entry.uuid_16", "btcommon.eir_ad.entry.service_data")
    try #require(heard.count == 4, "\(heard)")
    for (row, report) in zip(heard, reports) {
      #expect(row[0].uppercased() == report["address"] as? String)
      #expect(Int(row[1]) == report["payload_bytes"] as? Int)
    }
    #expect(
      heard[0][2...4] == [
        "0x01,0xff", "0x004c",
        "0215e2c56db5dffb48d2b060d0f5a71096e000010002c5",
      ])
    #expect(
      heard[1][2...4] == [
        "0xff", "0x0118",
        "beac2f234454cf6d4a0fadf2f4911ba9ffa600010002b300",
      ])
    // -64 + 41 = -23 dBm at 0 m is e9; -41 + 41 = 0.
    #expect(heard[2][5] == "0xfeaa,0xfeaa")
    #expect(heard[2][6] == "00e900010203040506070809aabbccddeeff0000")
    #expect(heard[3][6] == "1000016578616d706c6500616263")
    for (row, payload) in zip(heard, sent) {
      let data = (row[4] + row[6]).uppercased()
      #expect(payload.hasSuffix(data))
    }
    let trace = """
      import sys, h5py
      with h5py.File(sys.argv[1]) as f:
          s, b, p = f['sightings'], f['beacons'], f['payloads']
          data = p['data/bytes'][()].tobytes()
          for beacon, i in zip(s['beacon'][()], s['payload'][()]):
              start, length = p['offset'][i], p['length'][i]
              print(b['id'][beacon].decode(), int(b['measured_power_dbm'][beacon]),
                    data[start:start + length].hex().upper())
      """
    let rows = try runPython(trace, [guest.out.path("heard.h5")])
    #expect(
      rows.output.split(separator: "\n").map(String.init)
        == zip(Self.advertised, sent).map { "\($0.id) \($0.power) \($1)" }, "\(rows.error)")
    // How the other controller is left: switched on as it was, each set off and removed.
    #expect(guest.text("state.txt").contains("UP RUNNING"))
    let ends = try tsharkFields(
      guest.out.path("sent.btsnoop"),
      "bthci_cmd.opcode in {0x2036, 0x2037, 0x2039, 0x203c}",
      "bthci_cmd.opcode")
    #expect(
      ends.map(\.[0])
        == Array(repeating: ["0x2036", "0x2037", "0x2039", "0x2039", "0x203c"], count: 4).flatMap(
          \.self))
  }

  @Test(.needs(program: "/usr/bin/btvirt"))
  func `advertising comes through what happens to adapters`() throws {
    let guest = try Guest.run(
      linked: 2,
      """
      # No function: of one in the background, the shell would get the signals.
      advertise="rssi advertise \(Self.advertised[0].id) --measured-power -59"
      advertises() { until grep -q 'Ctrl-C ends it' $1; do sleep 0.1; done; }
      neither="setpriv --bounding-set -net_raw,-net_admin --inh-caps -net_raw,-net_admin"
      raw="setpriv --bounding-set -net_admin --inh-caps -net_admin"
      # Off: who switched it off is asked, and told how.
      $advertise hci1 2>off.txt; echo $? >>off.txt
      for soft in /sys/class/bluetooth/hci1/rfkill*/soft; do echo 1 >$soft; done
      $advertise hci1 2>blocked.txt; echo $? >>blocked.txt
      for soft in /sys/class/bluetooth/hci1/rfkill*/soft; do echo 0 >$soft; done
      # The user channel switches it on and off by itself.
      $advertise user:1 --duration 100ms 2>user.txt || exit 1
      hciconfig hci1 >state.txt
      hciconfig hci1 up
      $neither $advertise hci1 2>refused.txt
      echo $? >>refused.txt
      $raw $advertise hci1 --duration 100ms 2>raw.txt
      echo $? >>raw.txt
      # One that was killed goes on, which the next one says.
      $advertise hci1 2>killed.txt & killed=$!
      advertises killed.txt
      kill -9 $killed
      $advertise hci1 2>reset.txt & program=$!
      advertises reset.txt
      hciconfig hci1 reset
      until grep -q 'advertise again' reset.txt; do sleep 0.1; done
      kill -INT $program
      wait $program; echo $? >>reset.txt
      $advertise hci1 2>gone.txt & program=$!
      advertises gone.txt
      kill $(pidof btvirt)
      wait $program; echo $? >>gone.txt
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(
      guest.text("off.txt")
        == "rssi: hci1 is off; switch it on: `sudo hciconfig hci1 up` or `bluetoothctl power on`\n69\n"
    )
    #expect(guest.text("blocked.txt").contains("rfkill unblock"))
    #expect(guest.text("blocked.txt").hasSuffix("\n69\n"))
    #expect(guest.text("user.txt").contains("00:AA:01:01:00:01"))
    #expect(guest.text("state.txt").contains("DOWN"))
    #expect(
      guest.text("refused.txt").contains("sudo setcap cap_net"))
    #expect(guest.text("refused.txt").hasSuffix("\n77\n"))
    #expect(guest.text("raw.txt").hasSuffix("\n0\n"))
    #expect(guest.text("reset.txt").contains("until the controller is reset"))
    #expect(guest.text("reset.txt").contains("advertise again"))
    #expect(guest.text("reset.txt").hasSuffix("\n0\n"))
    #expect(guest.text("gone.txt").contains("hci1 is gone"))
    #expect(guest.text("gone.txt").hasSuffix("\n69\n"))
  }

  /// A controller of Bluetooth 4.2 gets the old commands; one that reports that it advertises already
  /// is left alone.
  @Test func `advertises with an old controller`() throws {
    let guest = try Guest.run(
      scenario: Guest.scenario("steady"), controller: "-l -v",
      """
      hciconfig hci0 up
      btmon -w sent.btsnoop >/dev/null 2>&1 & monitor=$!
      # It has written which controllers there are.
      until [ $(wc -c <sent.btsnoop) -gt 16 ]; do sleep 0.1; done
      rssi advertise \(Self.advertised[0].id) --measured-power -59 --duration 300ms || exit 1
      kill $monitor
      wait $monitor
      """)
    #expect(guest.output.contains("0:00 by hci0"), "\(guest.error)")
    let commands = try tsharkFields(
      guest.out.path("sent.btsnoop"), "bthci_cmd.opcode.ogf == 0x08", "bthci_cmd.opcode",
      "bthci_cmd.le_advts_interval_min", "btcommon.eir_ad.entry.data", "bthci_cmd.le_advts_enable")
    #expect(
      commands == [
        ["0x2003", "", "", ""], ["0x2006", "160", "", ""],
        ["0x2008", "", "0215e2c56db5dffb48d2b060d0f5a71096e000010002c5", ""],
        ["0x200a", "", "", "0x01"], ["0x2007", "", "", ""], ["0x200a", "", "", "0x00"],
      ])
  }
}
