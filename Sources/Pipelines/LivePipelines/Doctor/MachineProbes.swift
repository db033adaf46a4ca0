package import Capture
import Glibc
import NumericalMethods
import Sightings
package import Support
import TraceStore

/// Where the state of a machine is read, so that tests have a machine of their own.
package struct MachineProbes: Sendable {
  /// A folder that has `sys` and `proc`; empty for those of the machine.
  package var root = ""
  /// The number of the process that asks, which is not another program.
  package var process: Int32 = getpid()
  package var adapters: @Sendable () throws(RSSIError) -> [Adapter] = Capture.adapters
  /// The release of the kernel, such as `6.1.0-18-amd64`.
  package var kernel: @Sendable () -> String = kernelRelease
  /// The first line that a command of the shell writes; nil where it writes none in time.
  package var answer: @Sendable (String) -> String? = firstLine
  /// Measures how long a broker takes.
  package var clock = MachineClock.system
  /// Whether a time service keeps the clock of the machine right.
  package var isSynchronised: @Sendable () -> Bool = {
    MachineClock.system.reading.isSynchronised
  }
  /// Where a program is that draws pictures, by its name.
  package var drawingProgram: @Sendable (_ name: String) throws(RSSIError) -> String
  /// Libraries whose version matters to files and figures.
  package var libraries = ["HDF5 \(hdf5Version)", "GSL \(gslVersion)"]
  /// The bytes that may be written in the current folder; nil where it does not state.
  package var freeSpace: @Sendable () -> UInt64? = currentFreeSpace

  package init(drawingProgram: @escaping @Sendable (String) throws(RSSIError) -> String) {
    self.drawingProgram = drawingProgram
  }

  /// A file of the system as text; nil where it cannot be read.
  func text(_ path: String) -> String? {
    let bytes = try? contents(ofFile: root + path, atMost: 1 << 20)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}

@Sendable private func kernelRelease() -> String {
  (try? contents(ofFile: "/proc/sys/kernel/osrelease", atMost: 256)).map {
    String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
  } ?? ""
}

@Sendable private func firstLine(of command: String) -> String? {
  // The question is an empty line: what is written before one is asked for counts as a fault.
  let program = try? ChildProgram("read -r _; exec \(command) 2>/dev/null")
  let line = try? program?.ask([], within: 2000)
  return line.map { String(decoding: $0, as: UTF8.self) }
}

@Sendable private func currentFreeSpace() -> UInt64? {
  var status = statvfs()
  guard statvfs(".", &status) == 0 else { return nil }
  return UInt64(status.f_bavail) * UInt64(status.f_frsize)
}
