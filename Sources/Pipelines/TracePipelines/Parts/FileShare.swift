package import Support

/// One of several shares of the files of a stage, counted from 1: every N-th file from the K-th on.
package struct FileShare: Codable, Equatable, CustomStringConvertible, Sendable {
  package var number: Int
  package var count: Int

  package init(_ number: Int, of count: Int) { (self.number, self.count) = (number, count) }

  package var description: String { "\(number)/\(count)" }

  /// The files of the share, by their names, whatever their order.
  ///
  /// - Throws: `.usage` for a share that there is not.
  package func files(of files: [String]) throws(RSSIError) -> [String] {
    guard (1...1_000_000).contains(count), (1...count).contains(number) else {
      throw RSSIError(.usage, "`share` \(self): write which of how many, such as 1/8")
    }
    return files.sorted().enumerated().filter { $0.offset % count == number - 1 }.map(\.element)
  }
}
