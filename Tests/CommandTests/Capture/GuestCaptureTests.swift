import Foundation
import TestSupport
import Testing

/// Captures in a guest. One at a time: each wants a processor for itself.
@Suite(
  .serialized,
  .systemRun,
  .enabled(if: Guest.isPossible, "needs a guest: Tests/Rig/setup.sh prints what is missing"))
struct GuestTests {}

/// Every advertisement that a controller sends arrives with its level.
extension GuestTests {
  /// Through the adapter, and through the monitor channel at the same time.
  @Test(arguments: ["three_beacons", "extended"])
  func `hears every advertisement`(scenario: String) throws {
    let path = Guest.scenario(scenario)
    let guest = try Guest.run(
      scenario: path,
      """
      # Or the monitor would see it switched off again, which is a gap.
      hciconfig hci0 up
      rssi capture monitor -o monitor.h5 & monitor=$!
      until [ -e monitor.h5 ]; do sleep 0.1; done
      rssi capture hci0 -o adapter.h5 & adapter=$!
      finish $adapter || exit 1
      kill $monitor
      wait $monitor
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    for trace in ["adapter.h5", "monitor.h5"] {
      #expect(try differences(guest.out.path(trace), path) == "", "\(trace)")
      #expect(try gaps(of: guest.out.path(trace)) == [])
    }
    #expect(
      try receiver(of: guest.out.path("adapter.h5"))
        == "hci0 | 00:AA:55:5E:00:01, Bluetooth 5.0, manufacturer 1521 | passive | 1m | kernel")
    #expect(
      try receiver(of: guest.out.path("monitor.h5"))
        == "hci0 | 00:AA:55:5E:00:01, manufacturer 1521 |  |  | kernel")
    // Both have the kernel's times, to the microsecond, independent of the reader.
    let times = """
      import sys, h5py, numpy
      def microseconds(path):
          with h5py.File(path) as f:
              start = numpy.datetime64(f.attrs['start'].decode().rstrip('Z'), 'us')
              return start.astype(int) + numpy.rint(f['sightings/time_s'][()] * 1e6).astype(int)
      a, b = map(microseconds, sys.argv[1:3])
      print(len(a) == len(b) and int(abs(a - b).max()) <= 1)
      """
    let same = try runPython(times, [guest.out.path("adapter.h5"), guest.out.path("monitor.h5")])
    #expect(same.output == "True\n", "\(same.error)")
  }

  /// Twenty beacons for some seconds, five reports an event.
  @Test func `hears a room full of beacons`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("room.txt")
    let made = try runProgram(
      pythonPath,
      [
        Guest.rig.appending(path: "mkscenario.py").path, "--beacons", "20", "--seconds", "3",
        "--na", "0.05", "--seed", "4", "-o", path,
      ])
    try #require(made.exitCode == 0, "\(made.error)")
    let guest = try Guest.run(
      scenario: path, controller: "-b 5",
      """
      rssi capture -o room.h5 & capture=$!
      finish $capture
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(try differences(guest.out.path("room.h5"), path) == "")
    #expect(try gaps(of: guest.out.path("room.h5")) == [])
  }

  /// A controller of Bluetooth 4.2 has only the legacy commands; asked actively, beacons answer.
  @Test func `hears with an old controller and actively`() throws {
    let path = Guest.scenario("three_beacons")
    let guest = try Guest.run(
      scenario: path, controller: "-l -v",
      "rssi capture hci0 --active -o old.h5 & capture=$!; finish $capture")
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(
      try differences(guest.out.path("old.h5"), path, extended: false, active: true) == "")
    #expect(
      try receiver(of: guest.out.path("old.h5"))
        == "hci0 | 00:AA:55:5E:00:01, Bluetooth 4.2, manufacturer 1521 | active | 1m | kernel")
    #expect(guest.text("emulator.log").contains("scan type 1 interval 96 window 96"))
  }

  /// The user channel: no other program can use the adapter, which is up again afterwards.
  @Test func `hears through the user channel`() throws {
    let path = Guest.scenario("three_beacons")
    let guest = try Guest.run(
      scenario: path,
      """
      hciconfig hci0 up
      rssi capture user:0 -o user.h5 & capture=$!
      until grep -q 'scenario done' emulator.log; do sleep 0.2; done
      rssi capture user:0 -o other.h5 --duration 1s 2>second.txt; echo $? >>second.txt
      rssi capture hci0 -o other.h5 --duration 1s 2>raw.txt; echo $? >>raw.txt
      finish $capture; echo $? >exit.txt
      hciconfig hci0 >state.txt
      """)
    try #require(guest.exitCode == 0, "\(guest.error)")
    #expect(try differences(guest.out.path("user.h5"), path) == "")
    #expect(
      try receiver(of: guest.out.path("user.h5"))
        == "user:0 | 00:AA:55:5E:00:01, Bluetooth 5.0, manufacturer 1521 | passive | 1m | kernel")
    #expect(guest.text("exit.txt") == "0\n")
    for refused in ["second.txt", "raw.txt"] {
      #expect(guest.text(refused).contains("another program"))
      #expect(guest.text(refused).hasSuffix("\n69\n"))
    }
    #expect(guest.text("state.txt").contains("UP RUNNING"))
  }
}
