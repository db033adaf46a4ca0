/// Why an entry of a list was not taken: a clause that shows what is wrong with it.
struct EntryProblem: Error {
  var words: String

  init(_ words: String) { self.words = words }
}

/// An entry that was not taken, whole.
package struct EntryRefusal: Equatable, Sendable, CustomStringConvertible {
  /// Where it is: `entry 17`, or `line 18`.
  package var place: String
  /// A clause that shows what is wrong with it.
  package var reason: String

  package var description: String { "\(place): \(reason)" }
}
