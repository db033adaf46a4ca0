import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite(
  "Parts of a session", .systemRun, .serialized,
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct SessionPartTests {
  let folder: TemporaryDirectory

  /// Records a part a.h5.
  init() throws {
    folder = try TemporaryDirectory()
    let broker = try Broker(in: folder)
    let members = try ["a", "b"].map { name in
      try RunningProgram(
        builtProgram,
        ["session", name == "a" ? "start" : "join", "lab", "replay:\(walk)", "--name", name]
          + ["--speed", "max"]
          + ["-o", folder.path("\(name).h5")] + ["--broker", broker.address])
    }
    for member in members { try #require(member.wait().exitCode == 0) }
  }

  private func python(_ text: String, _ arguments: String...) throws {
    let result = try runPython(text, [folder.url.path] + arguments)
    try #require(result.exitCode == 0, "\(result.error)")
  }

  private func merge(_ parts: String...) throws -> ProgramResult {
    try runProgram(
      builtProgram,
      ["session", "merge", "-o", folder.path("all.h5"), "--json"] + parts.map { folder.path($0) })
  }

  /// Three parts of one member: of another time by a clock that was 50 s behind, and of the same
  /// time by an offset that is a millisecond off, each with rows of its own.
  @Test func `are in order however the clock was set meanwhile`() throws {
    try python(
      """
      import h5py, numpy as np, shutil, sys
      folder = sys.argv[1]
      def make(name, number, session, offset, keep):
          shutil.copy(f"{folder}/a.h5", f"{folder}/{name}")
          with h5py.File(f"{folder}/{name}", "r+") as f:
              s, o = f["sightings"], f["session/offsets"]
              f["session/parts/machine_clock"][:] = 1
              f["session/parts/id"][:] = b"%032d" % number
              f["session/parts/number"][:] = number
              f["receivers/time_kind"][:] = b"kernel"
              n = len(s["time_s"])
              rows = np.array([i for i in range(n) if keep(i)])
              for c in list(s):
                  if not isinstance(s[c], h5py.Dataset) or s[c].shape[:1] != (n,): continue
                  values = s[c][:][rows]
                  s[c].resize((len(rows),)); s[c][:] = values
              s["time_s"][:] = session - offset + rows * 0.1
              o["time_s"][:] = session + np.arange(len(o["time_s"]))
              o["offset_ns"][:] = int(offset * 1e9)
              o["uncertainty_ns"][:] = 1000
      make("k1.h5", 1, 100.0, 0.0, lambda i: i % 5)
      make("k2.h5", 2, 130.0, 50.0, lambda i: True)
      make("k3.h5", 3, 100.001, 0.001, lambda i: i % 7)
      """)
    let result = try merge("k1.h5", "k2.h5", "k3.h5")
    try #require(result.exitCode == 0, "\(result.error)")
    try python(
      """
      import h5py, numpy as np, sys
      with h5py.File(sys.argv[1] + "/a.h5") as f: n = len(f["sightings/time_s"])
      with h5py.File(sys.argv[1] + "/all.h5") as f: times = f["sightings/time_s"][:]
      assert (np.diff(times) >= 0).all()
      of_both = [sum(1 for i in range(n) if test(i)) for test in (
          lambda i: i % 5 or i % 7, lambda i: i % 5 and i % 7)]
      assert len(times) == n + of_both[0], (len(times), n, of_both)
      assert int(sys.argv[2]) == of_both[1]
      """, "\(try json(result.output)["repeated"] as? Int ?? -1)")
  }

  /// The names in a file are shown to people and become names of receivers.
  @Test(arguments: [
    "p['member'][:] = b'../../x'", "p['member'][:] = b'\\x1b[2J'", "p['id'][:] = b'x'",
    "p['key'][:] = b'..'",
    "f['session'].attrs['lobby'] = 'a\\x1bb'", "f['session'].attrs['id'] = '1'",
    "p['machine_clock'][:] = 1; o['time_s'][:] = -9e9; o['offset_ns'][:] = 4 * 10**18",
  ])
  func `that are damaged are refused`(_ damage: String) throws {
    try python(
      """
      import h5py, sys
      with h5py.File(sys.argv[1] + "/a.h5", "r+") as f:
          p, o = f["session/parts"], f["session/offsets"]
          \(damage)
      """)
    let result = try merge("a.h5", "b.h5")
    #expect(result.exitCode == 65 && result.error.contains("damaged"), "\(result.error)")
    #expect(!result.error.contains("\u{1B}") && result.output.isEmpty)
  }
}
