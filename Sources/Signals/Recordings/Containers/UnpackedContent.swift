import Support

/// The recording or table in a compressed file, an archive or a bug report of Android, as one stream
/// of bytes, in constant memory.
///
/// An archive gives its only recording, or the parts of one log in order of time; else the
/// Bluetooth log in the text of a bug report; else its only table.
final class UnpackedContent {
  /// A sentence for users on what is read of an archive; `nil` for a compressed file.
  private(set) var note: String?
  private let descriptor: Int32
  private let path: String
  private let form: Compression
  /// The members to read after the current one.
  private var rest: ArraySlice<ArchiveMember> = []
  private var archive: Archive?
  /// The rest of a log that was decoded.
  private var bytes: ArraySlice<UInt8> = []
  /// The names of members that are of no use.
  private var others: [String] = []

  /// The number of archives within each other that are searched.
  private static let mostLevels = 3

  /// Creates the content of an open file, or returns `nil` if it is not packed.
  ///
  /// - Parameters:
  ///   - head: The first bytes of the file.
  ///   - path: The file, for errors.
  init?(of descriptor: Int32, _ head: [UInt8], path: String) throws(RSSIError) {
    self.descriptor = descriptor
    self.path = path
    guard let form = Compression(head) else {
      form = .gzip
      guard BugReport.recognizes(head) else { return nil }
      let log = try BugReport.recording(of: path) { buffer throws(RSSIError) in
        try readFile(descriptor, into: buffer, path)
      }
      guard let log else { throw Self.withoutLog(path) }
      bytes = log[...]
      return
    }
    self.form = form
    try choose(from: ArchiveMember.all(of: Archive(descriptor, path, form), path: path))
  }

  /// The number of bytes of the packed file that were read.
  var bytesTaken: Int { archive?.bytesTaken ?? 0 }

  /// Fills a buffer as far as possible; returns 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RSSIError) -> Int {
    guard bytes.isEmpty else {
      let count = min(bytes.count, buffer.count)
      bytes.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
      bytes.removeFirst(count)
      return count
    }
    while let archive {
      let count = try archive.read(into: buffer)
      if count > 0 { return count }
      try openNext()
    }
    return 0
  }

  private func openNext() throws(RSSIError) {
    archive = nil
    guard let member = rest.popFirst() else { return }
    archive = try open(member)
  }

  /// Opens a member at its first byte.
  private func open(_ member: ArchiveMember) throws(RSSIError) -> Archive {
    var archive = try Archive(descriptor, path, form)
    for (level, number) in member.place.enumerated() {
      for _ in 0...number {
        guard try archive.next() != nil else {
          throw RSSIError(.badInput, "\(member.name.printable) is gone", in: path)
        }
      }
      if level + 1 < member.place.count { archive = try inner(of: archive) ?? archive }
    }
    return archive
  }

  /// Opens the archive that is the current member of another one.
  private func inner(of archive: Archive) throws(RSSIError) -> Archive? {
    let head = try archive.readHead(ArchiveMember.headLength)
    guard let form = Compression(head) else { return nil }
    return try Archive(in: archive, after: head, form)
  }

  private func choose(from members: [ArchiveMember]) throws(RSSIError) {
    var (members, packed) = (members, members)
    for _ in 0..<Self.mostLevels {
      if try take(members) { return }
      packed = packed.filter { $0.form != nil }
      members = []
      for member in packed {
        // Other packed files in a bug report may be of formats that are unknown or damaged.
        guard let inner = try? inner(of: open(member)) else { continue }
        members += (try? ArchiveMember.all(of: inner, in: member.place, path: path)) ?? []
      }
      packed = members
    }
    throw nothing()
  }

  /// Chooses what to read; returns `false` if there is nothing.
  private func take(_ members: [ArchiveMember]) throws(RSSIError) -> Bool {
    let recordings = members.filter(\.isRecording)
    if !recordings.isEmpty {
      try read(ArchiveMember.log(of: recordings, path: path))
    } else if let report = members.first(where: \.isBugReport) {
      let archive = try open(report)
      let log = try BugReport.recording(of: path) { buffer throws(RSSIError) in
        try archive.read(into: buffer)
      }
      guard let log else { throw Self.withoutLog(path) }
      bytes = log[...]
      note = "\(path): reads the Bluetooth log in \(report.name.printable)"
    } else {
      let files = members.filter { $0.form == nil }
      // Whatever a single file is, it is what was meant.
      let tables = members.count == 1 ? files : files.filter(\.isTable)
      guard tables.count < 2 else {
        throw ArchiveMember.several("tables", tables.map(\.name), path)
      }
      others += files.map(\.name)
      guard !tables.isEmpty else { return false }
      try read(tables)
    }
    return true
  }

  private func read(_ members: [ArchiveMember]) throws(RSSIError) {
    rest = members[...]
    if form == .zip || form == .tar || members.contains(where: { $0.place.count > 1 }) {
      note = "\(path): reads \(members.map(\.name.printable).joined(separator: ", then "))"
    }
    try openNext()
  }

  private func nothing() -> RSSIError {
    guard !others.isEmpty else {
      return RSSIError(
        .badInput, "the \(form.rawValue) data is empty, damaged or cut off", in: path,
        advice: "copy the file again")
    }
    return RSSIError(
      .badInput,
      "this \(form.rawValue) file contains neither a recording nor a table, but "
        + listed(others.map(\.printable), 6),
      in: path, advice: "name the recording or the table itself")
  }

  private static func withoutLog(_ path: String) -> RSSIError {
    RSSIError(
      .badInput, "this bug report contains no Bluetooth log", in: path,
      advice:
        "enable the Bluetooth HCI snoop log in the phone's developer options, switch Bluetooth "
        + "off and on, record, and run `adb bugreport` again")
  }
}
