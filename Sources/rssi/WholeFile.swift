import Glibc
import Plotting
import Recordings
import Support
import TraceStore

/// An open file to write to, whose errors say so.
final class WholeFile {
  private var descriptor: Int32
  private let path: String

  /// Opens the temporary file of one that is to appear when it is whole.
  init(_ file: borrowing AtomicFile) throws {
    descriptor = open(file.temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    path = file.path
    guard descriptor >= 0 else {
      throw RSSIError.writeFailed(path: path, reason: String(cString: strerror(errno)))
    }
  }

  func write(_ bytes: [UInt8]) throws { try writeAll(bytes, to: descriptor, path: path) }

  /// Closes the file; some disks say only now that they are full.
  func close() throws {
    let result = Glibc.close(descriptor)
    descriptor = -1
    guard result == 0 else {
      throw RSSIError.writeFailed(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }
}

/// Writes a text to a file that appears under its name only when it is whole; - is standard output.
func writeWhole(_ text: String, to path: String) throws {
  try writeWhole(to: path) { write in try write(text) }
}

/// Draws a chart into a file of the format that its name ends in; it appears only when it is whole.
func writeWhole(_ chart: Chart, to path: String) throws {
  let picture = try chart.picture(PictureFormat(path: path))
  var file = try AtomicFile(path: path)
  let whole = try WholeFile(file)
  try whole.write(picture)
  try whole.close()
  try file.commit()
}

/// Gives a function that writes text piece by piece, to a file as `writeWhole(_:to:)` makes it.
func writeWhole(to path: String, _ body: ((String) throws -> Void) throws -> Void) throws {
  guard path != "-" else { return try body { try StandardOutput.write($0) } }
  var file = try AtomicFile(path: path)
  let whole = try WholeFile(file)
  var buffer: [UInt8] = []
  try body { text in
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 1 << 16 {
      try whole.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
  }
  try whole.write(buffer)
  try whole.close()
  try file.commit()
}
