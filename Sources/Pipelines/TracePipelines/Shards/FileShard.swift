package import Support

/// The results of a stage on some of its files; the parts of all files merge into the whole.
struct FileShard<Settings: Codable & Equatable, Piece: Codable> {
  struct Head: Codable {
    var origin: ShardManifest
    var settings: Settings
  }

  var head: Head
  var pieces: [Piece]

  init(_ pieces: [Piece], of origin: ShardManifest, settings: Settings) {
    head = Head(origin: origin, settings: settings)
    self.pieces = pieces
  }

  func write(to path: String, of stage: PartStage) throws -> WrittenShard {
    try ShardFile(head: head, pieces: pieces).write(to: path, of: stage)
    let files = head.origin.files.count
    return WrittenShard(
      path: path, files: files, allFiles: head.origin.share?.allFiles.count ?? files)
  }

  /// Reads parts and puts them together, in any order.
  ///
  /// - Parameter isSound: returns whether the stage may have written a part, so that its numbers do
  ///   not trap.
  /// - Throws: `RSSIError` for a file that is not a whole part of the stage, and for parts of
  ///   different runs.
  init(merging paths: [String], of stage: PartStage, isSound: (FileShard) -> Bool) throws {
    let parts = try paths.map { path in
      let file = try ShardFile<Head, Piece>(path: path, of: stage)
      let part = FileShard(file.pieces, of: file.head.origin, settings: file.head.settings)
      guard part.head.origin.isSound, isSound(part) else { throw damagedPart(path, of: stage) }
      return (path: path, part: part)
    }
    let origin = try ShardManifest(merging: parts.map { ($0.path, $0.part.head.origin) })
    let first = parts[0]
    if let other = parts.first(where: { $0.part.head.settings != first.part.head.settings }) {
      throw differentParts(first.path, other.path, "their settings differ")
    }
    self.init(parts.flatMap(\.part.pieces), of: origin, settings: first.part.head.settings)
  }
}

/// The numbers of files of a written part.
package struct WrittenShard: Equatable, Sendable {
  package var path: String
  package var files: Int
  /// The number of files of all shares.
  package var allFiles: Int
}

/// One of several shares of the files of a stage, counted from 1: every N-th file from the K-th on.
package struct FileShare: Codable, Equatable, CustomStringConvertible, Sendable {
  package var number: Int
  package var count: Int

  package init(_ number: Int, of count: Int) { (self.number, self.count) = (number, count) }

  package var description: String { "\(number)/\(count)" }

  /// Returns the files of the share, by their names, in any order.
  ///
  /// - Throws: `.usage` for a share that does not exist.
  package func files(of files: [String]) throws(RSSIError) -> [String] {
    guard (1...1_000_000).contains(count), (1...count).contains(number) else {
      throw RSSIError(.usage, "`share` \(self): expected NUMBER/COUNT, such as 1/8")
    }
    return files.sorted().enumerated().filter { $0.offset % count == number - 1 }.map(\.element)
  }
}
