import Foundation
import TestSupport

/// A small virtual machine whose kernel has Bluetooth and a scripted controller (Tests/Rig).
///
/// It sees this machine's files, read-only for all that matters, and keeps what is put into `/out`.
enum Guest {
  struct Result {
    var exitCode: Int32
    var output: String
    var error: String
    /// The content of `/out`.
    var out: TemporaryDirectory

    /// Returns the content of `/out/NAME`; empty if it is missing.
    func text(_ name: String) -> String {
      (try? String(contentsOfFile: out.path(name), encoding: .utf8)) ?? ""
    }
  }

  static let rig = repositoryRoot.appending(path: "Tests/Rig")

  /// A Boolean value that is true if the machine can run a guest; fetches its kernel the first
  /// time.
  static let isPossible =
    (try? runProgram(rig.appending(path: "setup.sh").path, []).exitCode) == 0

  static func scenario(_ name: String) -> String {
    rig.appending(path: "scenarios/\(name).txt").path
  }

  /// Runs a shell script in a guest, as root, with `rssi` and the tools of this machine's BlueZ.
  ///
  /// The script may call `emulator FILE` for another controller, `finish PID` to end a capture in
  /// the background when the first has played its scenario, `idle PID` to wait until a program has
  /// worked off what there is for it, and `heard FILE` for the number of sightings of a trace.
  ///
  /// - Parameters:
  ///   - scenario: what the controller `hci0` plays, a file; nil = there is no controller.
  ///   - controller: options of the controller (Tests/Rig/emu/vhci_beacons.c).
  ///   - linked: how many controllers that hear each other there are instead (BlueZ's btvirt).
  ///   - limit: seconds after which it is killed.
  static func run(
    scenario: String? = nil, controller: String = "", linked: Int = 0, limit: Int = 600,
    _ script: String
  ) throws -> Result {
    let out = try TemporaryDirectory()
    let folder = URL(filePath: builtProgram).deletingLastPathComponent().path
    let prelude = """
      export PATH=\(folder):$PATH SWIFT_BACKTRACE=enable=no
      emulator() { /run/btguest/vhci_beacons "$@" 2>>/out/emulator.log & }
      # None of its threads runs, or could run, at ten looks in a row.
      idle() {
        looks=0
        while [ $looks -lt 10 ]; do
          case $(cut -d ' ' -f 3 /proc/$1/task/*/stat) in
            *[!S[:space:]]*) looks=0 ;;
            *) looks=$((looks + 1)) ;;
          esac
          sleep 0.1
        done
      }
      heard() { rssi info --json $1 2>/dev/null | tr -d ' ' | sed -n 's/.*"sightings":\\([0-9]*\\).*/\\1/p' | grep . || echo 0; }
      # Ends a capture in the background once the controller has played everything.
      finish() {
        until grep -q 'scenario done' /out/emulator.log; do sleep 0.2; done
        idle $1
        kill $1
        wait $1
      }
      cd /out

      """
    let file = try out.write(prelude + script, to: "script")
    var arguments = ["-p", "-T", "\(limit)", "-o", out.path("")]
    if let scenario { arguments += ["-s", scenario] }
    if linked > 0 { arguments += ["-e", "btvirt -l\(linked)", "-w", "\(linked)"] }
    if !controller.isEmpty { arguments += ["-E", controller] }
    let result = try runProgram(
      rig.appending(path: "btguest").path, arguments + ["--", "/bin/sh", file])
    return Result(
      exitCode: result.exitCode, output: result.output, error: result.error, out: out)
  }
}
