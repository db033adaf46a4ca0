package import Support

/// The errors of recordings.
extension RSSIError {
  /// Returns the error of content in another format than the reader's.
  package static func wrongFormat(path: String, expected: String) -> RSSIError {
    RSSIError(
      .badInput, "not a \(expected) file", in: path, advice: "check which program wrote it")
  }

  package static func unsupportedVersion(path: String, version: UInt32) -> RSSIError {
    RSSIError(.badInput, "unsupported btsnoop version \(version) (only 1 is supported)", in: path)
  }

  package static func unsupportedDatalink(path: String, datalink: UInt32) -> RSSIError {
    RSSIError(
      .badInput, "unsupported btsnoop datalink \(datalink) (1001, 1002 and 2001 are supported)",
      in: path, advice: "record with btmon or hcidump")
  }

  /// Returns the error of a capture whose start libpcap cannot read.
  package static func unreadableCapture(path: String, reason: String) -> RSSIError {
    RSSIError(
      .badInput, "libpcap cannot read the file (\(reason))", in: path,
      advice: "check that the recording and the copy are complete")
  }

  /// Returns the error of a capture with interfaces or sections that libpcap cannot read together.
  package static func mixedCapture(path: String, reason: String) -> RSSIError {
    RSSIError(
      .badInput, "libpcap cannot read all interfaces together (\(reason))", in: path,
      advice: "record each interface to a file of its own")
  }

  /// Returns the error of a table or a stream with wrong columns or rows.
  package static func badTable(
    path: String, problem: String, advice: String? = nil
  ) -> RSSIError {
    RSSIError(.badInput, problem, in: path, advice: advice)
  }
}
