import Glibc

/// The largest size of a secret file, in bytes.
private let limit = 4096

/// Returns the first line of a file that only its owner can read.
///
/// - Parameter name: The kind of secret, such as `password`.
/// - Throws: `RSSIError` for a file that cannot be read, that others may read, or without a line.
package func secret(ofFile path: String, called name: String) throws(RSSIError) -> String {
  // Opening a FIFO without a writer would block.
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw RSSIError(
      errno == ENOENT || errno == ENOTDIR ? .usage : .permission,
      "cannot read the \(name) file \(path): \(systemMessage(errno))")
  }
  defer { close(descriptor) }
  // A pipe has no exclusive owner, and its content cannot be read again.
  guard regularFileLength(descriptor) != nil else {
    throw RSSIError(
      .noInput, "the \(name) file \(path) is a pipe, a device or a folder: name a regular file")
  }
  guard isPrivate(descriptor) else {
    throw RSSIError(
      .permission,
      "other users may read the \(name) file \(path): make it private with chmod 600 \(path)")
  }
  var bytes: [UInt8] = []
  while bytes.count < limit {
    var block = [UInt8](repeating: 0, count: limit - bytes.count)
    let count = read(descriptor, &block, block.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else {
      throw RSSIError(
        .permission, "cannot read the \(name) file \(path): \(systemMessage(errno))")
    }
    if count == 0 { break }
    bytes += block[..<count]
  }
  let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  guard !line.isEmpty, line.count < limit, let text = String(validating: line, as: UTF8.self),
    !text.contains("\0")
  else {
    throw RSSIError(.usage, "the first line of the \(name) file \(path) is not a valid \(name)")
  }
  return text
}
