import Support
import TraceStore

/// The files of a part, and the program that made it.
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
  /// The command line, without the files, the parts and the outputs.
  var commandLine: String
  var files: [File]
  /// The share; nil if the files were named individually.
  var share: Share?

  /// - Parameters:
  ///   - files: the files of the part.
  ///   - allFiles: the files of all shares.
  init(files: [String], share: FileShare?, of allFiles: [String], by tool: ToolIdentity) throws {
    guard !files.contains("-") else {
      throw RSSIError(
        .usage, "a part needs files, which it recognises again: import the stream first")
    }
    (version, commandLine) = (tool.version, tool.commandLine)
    self.files = try InputDigests(of: files).wait().map { File(name: $0.name, sha256: $0.sha256) }
    self.share = share.map { Share(share: $0, allFiles: allFiles.sorted()) }
  }
}

/// A part under the name of its file.
typealias NamedOrigin = (path: String, origin: ShardManifest)

extension ShardManifest {
  /// Creates the common origin of parts.
  ///
  /// - Throws: `.badInput` if they are of different versions or commands, if a share is missing or
  ///   given twice, or if two share a file.
  init(merging parts: [NamedOrigin]) throws(RSSIError) {
    guard let first = parts.first else {
      throw RSSIError(.usage, "no part to merge: name the files of parts")
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

  /// Returns the difference between two parts, in words; nil if they are of one run.
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

  /// A Boolean value that is true if a stage may have written the numbers.
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
