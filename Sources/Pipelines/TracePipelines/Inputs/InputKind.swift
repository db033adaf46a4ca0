import Glibc
import Recordings
import Support

/// The kind of a file, recognised by its content and never by its name.
package enum InputKind: Sendable {
  case trace
  case btsnoop
  case pcap
  case packetLogger
  case table
  case stream

  /// - Throws: `RSSIError` for what no stage reads, in words that name what it is.
  package init(path: String) throws {
    if path == "-" {
      self = .stream
      return
    }
    let head = try firstBytes(path)
    if let foreign = ForeignContent(head) {
      throw RSSIError(.badInput, foreign.name, in: path, advice: foreign.advice)
    }
    if head.starts(with: [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .trace
    } else if head.starts(with: Array("btsnoop".utf8)) {
      self = .btsnoop
    } else if PcapReader.recognizes(head) {
      self = .pcap
    } else if head.first(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 })
      == UInt8(ascii: "{")
    {
      self = .stream
    } else if head.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
      self = .table
    } else if try PacketLoggerReader.recognizes(path: path) {
      self = .packetLogger
    } else {
      throw RSSIError(
        .badInput,
        "neither a trace, nor btsnoop, pcap, pcapng or PacketLogger, nor a CSV table, nor NDJSON",
        in: path, advice: "check which program wrote it")
    }
  }
}

/// The first 512 bytes of a file, or fewer where it is shorter.
private func firstBytes(_ path: String) throws -> [UInt8] {
  var status = stat()
  guard stat(path, &status) == 0 else { throw RSSIError.opening(path, errno) }
  guard status.st_mode & S_IFMT != S_IFDIR else { throw RSSIError.isDirectory(path: path) }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw RSSIError(
      .noInput, "this is a pipe or a device, and files are read more than once", in: path,
      advice: "save it first, or give NDJSON on standard input as -")
  }
  guard let file = fopen(path, "r") else { throw RSSIError.opening(path, errno) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 512)
  let count = fread(&bytes, 1, bytes.count, file)
  guard count > 0 else { throw RSSIError.empty(path: path) }
  return Array(bytes[..<count])
}
