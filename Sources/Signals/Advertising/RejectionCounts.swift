/// How many rejections of each reason there were.
public struct RejectionCounts: Equatable, Sendable {
  private static let reasons = Rejection.allCases
  /// One count a reason, in the order of `Rejection.allCases`.
  private var counts = [Int](repeating: 0, count: Self.reasons.count)

  public init() {}

  /// The count of one reason.
  public subscript(reason: Rejection) -> Int { counts[Self.index(of: reason)] }

  /// The count of all reasons.
  public var total: Int { counts.reduce(0, +) }

  /// Counts one more.
  public mutating func add(_ reason: Rejection) { counts[Self.index(of: reason)] += 1 }

  /// Adds the counts of another source.
  public mutating func merge(_ other: RejectionCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  private static func index(of reason: Rejection) -> Int {
    var index = 0
    while reasons[index] != reason { index += 1 }
    return index
  }
}

extension RejectionCounts: Sequence {
  /// The reasons that occurred, with their counts, in the order of `Rejection.allCases`.
  public func makeIterator() -> some IteratorProtocol<(reason: Rejection, count: Int)> {
    zip(Self.reasons, counts).lazy.filter { $0.1 > 0 }.map { (reason: $0.0, count: $0.1) }
      .makeIterator()
  }
}
