import Glibc

/// Opens a regular file, or the standard input of any kind as `-`; the caller closes it.
package func openForReading(_ path: String) throws(RSSIError) -> Int32 {
  // Opening a FIFO without a writer would block.
  let descriptor =
    path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw .opening(path, errno)
  }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { return descriptor }
  let kind = status.st_mode & S_IFMT
  guard kind != S_IFDIR, path == "-" || kind == S_IFREG else {
    close(descriptor)
    throw kind == S_IFDIR ? .isDirectory(path: path) : .notAFile(path: path)
  }
  return descriptor
}

/// Returns the bytes of a file, at most up to a limit.
///
/// - Throws: `RSSIError` for a file that cannot be opened or read, or is not regular.
package func contents(ofFile path: String, atMost limit: Int) throws(RSSIError) -> [UInt8] {
  let descriptor = try openForReading(path)
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: min(limit, 1 << 16))
  while bytes.count < limit {
    let count = read(descriptor, &block, min(block.count, limit - bytes.count))
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else { throw .readFailed(path: path, reason: systemMessage(errno)) }
    if count == 0 { break }
    bytes += block[..<count]
  }
  return bytes
}

/// Returns bytes of an open file, or `nil` if it has fewer, or cannot be read.
package func bytes(ofFile descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
    while done < count, let start = buffer.baseAddress {
      let result = pread(descriptor, start + done, count - done, off_t(offset + done))
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { return }
      done += result
    }
  }
  return bytes.count == count ? bytes : nil
}

/// Returns the names of the entries of a folder, in the order of the file system; none if the
/// folder cannot be read.
package func entries(ofFolder path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // The 256 bytes of the name may extend beyond the memory that `readdir` returns, so it must not
    // be copied as a whole.
    let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
    names.append(String(cString: start.assumingMemoryBound(to: CChar.self)))
  }
  return names
}

/// Writes all bytes to an open file.
///
/// - Throws: `.diskFull`, `.closedPipe` or `.writeFailed`.
package func writeAll(
  _ bytes: [UInt8], to descriptor: Int32, path: String
) throws(RSSIError) {
  var written = 0
  while written < bytes.count {
    let result = bytes[written...].withUnsafeBytes {
      write(descriptor, $0.baseAddress, $0.count)
    }
    if result >= 0 {
      written += result
      continue
    }
    switch errno {
    case EINTR: continue
    case ENOSPC, EDQUOT, EFBIG: throw .diskFull(path: path)
    case EPIPE: throw .closedPipe
    default: throw .writeFailed(path: path, reason: systemMessage(errno))
    }
  }
}
