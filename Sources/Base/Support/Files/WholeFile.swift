import Glibc

/// An open file for writing, whose errors name it.
package final class WholeFile {
  private var descriptor: Int32
  private let path: String

  /// Opens the temporary file of an atomic one.
  package init(_ file: borrowing AtomicFile) throws(RSSIError) {
    descriptor = open(file.temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    path = file.path
    guard descriptor >= 0 else {
      throw RSSIError.writeFailed(path: path, reason: systemMessage(errno))
    }
  }

  package func write(_ bytes: [UInt8]) throws(RSSIError) {
    try writeAll(bytes, to: descriptor, path: path)
  }

  /// Closes the file; some disks report only now that they are full.
  package func close() throws(RSSIError) {
    let result = Glibc.close(descriptor)
    descriptor = -1
    guard result == 0 else {
      throw RSSIError.writeFailed(path: path, reason: systemMessage(errno))
    }
  }

  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }
}

/// Writes bytes to a file that appears under its name only when it is complete.
package func writeWhole(_ bytes: [UInt8], to path: String) throws {
  var file = try AtomicFile(path: path)
  let whole = try WholeFile(file)
  try whole.write(bytes)
  try whole.close()
  try file.commit()
}

/// Passes a function that writes text piece by piece to a file that appears under its name only
/// when it is complete.
package func writeWhole(
  to path: String, _ body: ((String) throws -> Void) throws -> Void
) throws {
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
