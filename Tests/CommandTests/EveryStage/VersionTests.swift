import Foundation
import TestSupport
import Testing

@Suite("The version") struct VersionTests {
  /// Scripts read the first word; the commit is there if the build had one.
  @Test func `is a release and perhaps a commit`() throws {
    let result = try rssi("--version")
    #expect(result.exitCode == 0)
    #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+( \([0-9a-z-]+\))?\n/) != nil)
  }

  @Test func `is that of the files it writes`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("t.h5")
    let table = try folder.write("time_s,beacon,receiver,rssi_dbm\n1,a,r,-60\n", to: "t.csv")
    #expect(try rssi("import", table, "-o", path, "--quiet").exitCode == 0)
    let script = """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          version = f.attrs["tool_version"]
          print(version.decode() if isinstance(version, bytes) else version)
      """
    let written = try runPython(script, [path])
    #expect(try written.output == rssi("--version").output, "\(written.error)")
  }
}
