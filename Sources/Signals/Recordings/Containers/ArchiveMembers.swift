import Support

/// A member of an archive, with the kind of its content.
struct ArchiveMember {
  /// The kind of a member's content, by its first bytes, or by its name if they do not show it.
  enum Kind {
    case recording, bugReport
    case packed(Compression)
    case table, other
  }

  /// The number of the member from 0, in each archive from the outermost on.
  var place: [Int]
  var name: String
  var kind: Kind

  /// The number of bytes that show the kind of a file.
  static let headLength = 512

  init(_ place: [Int], _ name: String, _ head: [UInt8]) {
    (self.place, self.name) = (place, name)
    let file = name.lowercased()
    kind =
      if head.starts(with: BTSnoopFormat.magic) || CaptureFormat(of: head.span) != nil
        || file.hasSuffix(".pklg")
      {
        .recording
      } else if BugReport.recognizes(head) {
        .bugReport
      } else if let form = Compression(head) {
        .packed(form)
      } else if [".csv", ".tsv", ".ndjson", ".jsonl"].contains(where: file.hasSuffix) {
        .table
      } else {
        .other
      }
  }

  var isRecording: Bool { if case .recording = kind { true } else { false } }
  var isBugReport: Bool { if case .bugReport = kind { true } else { false } }
  var isTable: Bool { if case .table = kind { true } else { false } }
  var form: Compression? { if case .packed(let form) = kind { form } else { nil } }

  /// The name of the log that it is a part of: Android renames the earlier part of
  /// `btsnoop_hci.log` to `btsnoop_hci.log.last`.
  var log: String { isEarlier ? String(name.dropLast(Self.earlier.count)) : name }
  /// A Boolean value that is true for the earlier part of a log.
  var isEarlier: Bool { name.hasSuffix(Self.earlier) }

  private static let earlier = ".last"
  /// The log that Android writes for developers; others repeat parts of it.
  private static let ofDevelopers = "btsnoop_hci.log"

  /// Returns the files of an archive.
  ///
  /// - Parameter place: The place of the archive in others.
  static func all(
    of archive: Archive, in place: [Int] = [], path: String
  ) throws(RSSIError) -> [ArchiveMember] {
    var members: [ArchiveMember] = []
    var number = 0
    while let member = try archive.next() {
      defer { number += 1 }
      guard member.isFile else { continue }
      guard !member.isEncrypted else {
        throw RSSIError(
          .badInput, "\(member.name.printable) in this file is encrypted", in: path,
          advice: "unpack it first")
      }
      members.append(
        ArchiveMember(place + [number], member.name, try archive.readHead(headLength)))
    }
    return members
  }

  /// Returns the members that are the recording: one, or the parts of one log in order of time.
  ///
  /// - Throws: `.badInput` for recordings that do not belong together.
  static func log(of members: [ArchiveMember], path: String) throws(RSSIError) -> [ArchiveMember] {
    let logs = Set(members.map(\.log)).sorted()
    let main = logs.filter { $0 == ofDevelopers || $0.hasSuffix("/" + ofDevelopers) }
    guard logs.count == 1 || main.count == 1 else {
      throw several("recordings", members.map(\.name), path)
    }
    let chosen = main.first ?? logs[0]
    return members.filter { $0.log == chosen && $0.isEarlier }
      + members.filter { $0.log == chosen && !$0.isEarlier }
  }

  static func several(_ kind: String, _ names: [String], _ path: String) -> RSSIError {
    RSSIError(
      .badInput, "it contains several \(kind): \(listed(names.map(\.printable), 6))", in: path,
      advice: "unpack it and name the files to read")
  }
}
