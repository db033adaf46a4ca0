import Support
import TraceStore

/// What a part of the files of a stage was made of, and by which program.
struct ShardManifest: Codable, Equatable, Sendable {
  struct File: Codable, Equatable, Sendable {
    var name: String
    var sha256: String
  }

  /// A share, and the files of all shares.
  struct Share: Codable, Equatable, Sendable {
    var share: FileShare
    var allFiles: [String]
  }

  var version: String
  /// Without the files, and without what is written of parts and outputs.
  var commandLine: String
  var files: [File]
  /// Nil where the files were named one by one.
  var share: Share?

  /// - Parameters:
  ///   - files: those of the part.
  ///   - allFiles: those of all shares.
  init(files: [String], share: FileShare?, of allFiles: [String], by tool: ToolIdentity) throws {
    guard !files.contains("-") else {
      throw RSSIError(
        .usage, "a part is of files, which it recognises again: import the stream first")
    }
    (version, commandLine) = (tool.version, tool.commandLine)
    self.files = try InputDigests(of: files).wait().map { File(name: $0.name, sha256: $0.sha256) }
    self.share = share.map { Share(share: $0, allFiles: allFiles.sorted()) }
  }
}

/// A part under the name of its file.
typealias NamedOrigin = (path: String, origin: ShardManifest)

extension ShardManifest {
  /// The origin of parts together.
  ///
  /// - Throws: `.badInput` where they are of different versions or commands, where a share is
  ///   missing or there twice, or where two have one file.
  init(merging parts: [NamedOrigin]) throws(RSSIError) {
    guard let first = parts.first else {
      throw RSSIError(.usage, "there is no part to merge: name the files of parts")
    }
    for part in parts {
      guard let difference = first.origin.difference(from: part.origin) else { continue }
      throw differentParts(first.path, part.path, difference)
    }
    try Self.requireEachShareOnce(parts)
    try Self.requireEachFileOnce(parts)
    self = first.origin
    share = nil
    files = parts.flatMap(\.origin.files).sorted { ($0.name, $0.sha256) < ($1.name, $1.sha256) }
  }

  /// In what two parts differ, in words; nil where they do not.
  private func difference(from other: ShardManifest) -> String? {
    if version != other.version { return "one is of rssi \(version), one of rssi \(other.version)" }
    if commandLine != other.commandLine {
      return "one was made by `\(commandLine)`, one by `\(other.commandLine)`"
    }
    if share?.share.count != other.share?.share.count { return "they are of different shares" }
    return share?.allFiles == other.share?.allFiles ? nil : "they are shares of different files"
  }

  private static func requireEachShareOnce(_ parts: [NamedOrigin]) throws(RSSIError) {
    guard let count = parts.first?.origin.share?.share.count else { return }
    var owners: [Int: String] = [:]
    for (path, origin) in parts {
      guard let share = origin.share?.share else { continue }
      if let owner = owners.updateValue(path, forKey: share.number) {
        throw RSSIError(
          .badInput, "\(owner) and \(path) are both the share \(share)",
          advice: "merge each part once")
      }
    }
    let missing = (1...max(1, count)).filter { owners[$0] == nil }
    guard !missing.isEmpty else { return }
    throw RSSIError(
      .badInput,
      "\(missing.count) of \(count) shares are missing: "
        + listed(missing.map { FileShare($0, of: count).description }, 4),
      advice: "make the parts that have them, and merge all")
  }

  private static func requireEachFileOnce(_ parts: [NamedOrigin]) throws(RSSIError) {
    var owners: [String: (path: String, name: String)] = [:]
    for (path, origin) in parts {
      for file in origin.files {
        guard let owner = owners.updateValue((path, file.name), forKey: file.sha256) else {
          continue
        }
        throw RSSIError(
          .badInput,
          "\(owner.name) in \(owner.path) and \(file.name) in \(path) are the same file: it would "
            + "count twice",
          advice: "merge each file once")
      }
    }
  }

  /// A Boolean value that is true if the numbers are such as a stage writes.
  var isSound: Bool {
    guard let share = share?.share else { return true }
    return (1...1_000_000).contains(share.count) && (1...share.count).contains(share.number)
  }
}

func differentParts(_ one: String, _ other: String, _ difference: String) -> RSSIError {
  RSSIError(
    .badInput, "\(one) and \(other) cannot be merged: \(difference)",
    advice: "make all parts with the same files, options and version")
}
