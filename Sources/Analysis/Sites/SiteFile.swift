import Glibc
public import Support

extension Site {
  /// The longest site file that is read, in bytes: some 10,000 walls.
  public static let maximumFileLength = 1_000_000

  /// Reads a site file: TOML 1.0 as docs/site.md describes it.
  ///
  /// - Throws: `RSSIError` that names the file and, where its content is wrong, the line.
  public init(path: String) throws(RSSIError) {
    try self.init(toml: try readFile(path, limit: Site.maximumFileLength), path: path)
  }
}

private func readFile(_ path: String, limit: Int) throws(RSSIError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw .opening(path, errno)
  }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while bytes.count <= limit {
    let count = read(descriptor, &block, block.count)
    if count < 0 && errno == EINTR { continue }
    if count < 0 && errno == EISDIR { throw .isDirectory(path: path) }
    guard count >= 0 else {
      throw .readFailed(path: path, reason: String(cString: strerror(errno)))
    }
    if count == 0 { return bytes }
    bytes.append(contentsOf: block.prefix(count))
  }
  throw .tooLong(path: path, limit: limit)
}
