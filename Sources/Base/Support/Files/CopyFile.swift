import Glibc

/// Copies a file's bytes in blocks of one mebibyte; errors name the target by `path`.
package func copyFile(_ source: String, to target: String, named path: String) throws(RSSIError) {
  let input = open(source, O_RDONLY | O_CLOEXEC)
  guard input >= 0 else {
    throw RSSIError(.noInput, "cannot open \(source): \(systemMessage(errno))")
  }
  defer { close(input) }
  try copyFile(input, of: source, to: target, named: path)
}

/// Copies the bytes of an open file `source`, which needs no name any more.
package func copyFile(
  _ input: Int32, of source: String, to target: String, named path: String
) throws(RSSIError) {
  let output = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
  guard output >= 0 else {
    throw RSSIError(.inputOutput, "cannot write \(path): \(systemMessage(errno))")
  }
  var isOpen = true
  defer { if isOpen { close(output) } }
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  var offset: off_t = 0
  while true {
    let count = pread(input, &buffer, buffer.count, offset)
    if count == 0 { break }
    guard count > 0 else {
      if errno == EINTR { continue }
      throw RSSIError(.inputOutput, "cannot read \(source): \(systemMessage(errno))")
    }
    offset += off_t(count)
    var written = 0
    while written < count {
      let result = buffer[written..<count].withUnsafeBytes {
        write(output, $0.baseAddress, $0.count)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else {
        throw RSSIError(
          .inputOutput,
          "cannot write \(path): \(systemMessage(errno)); free some space or write "
            + "elsewhere"
        )
      }
      written += result
    }
  }
  isOpen = false
  guard close(output) == 0 else {
    throw RSSIError(.inputOutput, "cannot write \(path): \(systemMessage(errno))")
  }
}
