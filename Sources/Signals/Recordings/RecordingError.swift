/// Why a recording could not be read or written.
public enum RecordingError: Error, Equatable, Sendable {
  case notFound(path: String)
  case isDirectory(path: String)
  /// A pipe or a device, which may never end.
  case notAFile(path: String)
  case permissionDenied(path: String)
  case empty(path: String)
  /// The content is not of the format the reader is for.
  case wrongFormat(path: String, expected: String)
  case unsupportedVersion(path: String, version: UInt32)
  case unsupportedDatalink(path: String, datalink: UInt32)
  /// A capture whose beginning libpcap cannot make sense of.
  case unreadableCapture(path: String, reason: String)
  /// A capture of several interfaces or sections that libpcap does not read together.
  case mixedCapture(path: String, reason: String)
  /// A table or a stream whose columns or rows are wrong.
  case badTable(path: String, problem: String)
  case readFailed(path: String, reason: String)
  case diskFull(path: String)
  /// Nobody reads what is written any more; not a failure of this program.
  case closedPipe
  case writeFailed(path: String, reason: String)
}

extension RecordingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound(let path): "There is no file \(path); check the name."
    case .isDirectory(let path): "\(path) is a directory; name the files in it."
    case .notAFile(let path):
      "\(path) is a pipe or a device; name a regular file."
    case .permissionDenied(let path):
      "Permission to open \(path) is denied; change its mode or its owner."
    case .empty(let path): "\(path) is empty; was the recording program stopped before it wrote?"
    case .wrongFormat(let path, let expected):
      "\(path) is not a \(expected) file: its first bytes are others; check which program wrote it."
    case .unsupportedVersion(let path, let version):
      "\(path) is btsnoop version \(version), of which nothing is known; version 1 is read."
    case .unsupportedDatalink(let path, let datalink):
      "\(path) is btsnoop of datalink \(datalink); record with btmon or hcidump (1001, 1002, 2001)."
    case .unreadableCapture(let path, let reason):
      "libpcap cannot read \(path) (\(reason)); check that it was recorded and copied to its end."
    case .mixedCapture(let path, let reason):
      "libpcap does not read all of \(path) together (\(reason)); record each interface to a file "
        + "of its own."
    case .badTable(let path, let problem): "\(path): \(problem)."
    case .readFailed(let path, let reason):
      "Reading \(path) failed (\(reason)); check the disk it is on."
    case .closedPipe: "The program reading the output has ended."
    case .diskFull(let path): "The disk is full while writing \(path); make room and run again."
    case .writeFailed(let path, let reason):
      "Writing \(path) failed (\(reason)); check that its folder exists and can be written."
    }
  }
}
