import Geometry

/// The instants at which the position of one node is asked, numbered in their order, and the window
/// of time from which each takes its levels.
///
/// A window has its end, but not its start. All times are nanoseconds since the Unix epoch, by the
/// clock of the truth where there is one.
package struct EpochSchedule: Equatable, Sendable {
  private enum Kind: Equatable, Sendable {
    /// An instant after each step from an origin on; within a span, if there is one.
    case steps(origin: Int64, step: Int64, window: Int64, span: ClosedRange<Int64>?)
    case stops([ClosedRange<Int64>])
  }

  private let kind: Kind
  /// The numbers of all instants.
  package let numbers: Range<Int>
  /// The number of bins that make up each step: the fewest that are not too long. None for stops: a
  /// node that stops does not walk, and one question has the levels of its whole time.
  package let bins: Int

  private init(_ kind: Kind, _ numbers: Range<Int>) {
    (self.kind, self.numbers) = (kind, numbers)
    bins =
      if case .steps(_, let step, _, _) = kind { Int((step - 1) / Self.longestBin + 1) } else { 0 }
  }

  /// Whole multiples of the step since the Unix epoch, without end.
  ///
  /// Times lie within ± 9·10⁹ s, so that no sum overflows.
  package static func always(step: Int64, window: Int64) -> EpochSchedule {
    EpochSchedule(.steps(origin: 0, step: step, window: window, span: nil), .min..<(.max))
  }

  /// One instant after each step of the time for which the truth is known.
  ///
  /// A window longer than the step overlaps the one before, a shorter one leaves sightings out. No
  /// window reaches back before the first truth, whose own time it then includes.
  package static func walk(
    _ span: ClosedRange<Int64>, step: Int64, window: Int64
  ) -> EpochSchedule {
    let length = span.upperBound - span.lowerBound
    return EpochSchedule(
      .steps(origin: span.lowerBound, step: step, window: min(window, length + 1), span: span),
      1..<Int(length / step) + 1)
  }

  /// One instant at the end of each stop, both ends of which count; in order of time.
  package static func stops(_ stops: [ClosedRange<Int64>]) -> EpochSchedule {
    EpochSchedule(.stops(stops), stops.indices)
  }

  /// The longest bin of raw levels, in nanoseconds: a person walks half a metre in it.
  package static let longestBin: Int64 = 500_000_000

  /// A Boolean value that is true if there is no first and no last instant.
  package var isEndless: Bool { numbers.upperBound == .max }

  package func instant(_ number: Int) -> Int64 {
    switch kind {
    case .steps(let origin, let step, _, _): origin + Int64(number) * step
    case .stops(let stops): stops[number].upperBound
    }
  }

  /// The start of an instant's window, which is not part of it.
  package func start(_ number: Int) -> Int64 {
    switch kind {
    case .steps(let origin, let step, let window, let span):
      span != nil && Int64(number) * step < window ? origin - 1 : instant(number) - window
    case .stops(let stops): stops[number].lowerBound - 1
    }
  }

  /// The time of the true position that an answer is measured against; that of a stop is its end.
  package func asked(_ number: Int, truth: TruthInstant) -> Int64 {
    let instant = instant(number)
    guard truth == .windowMiddle, case .steps(let origin, _, let window, _) = kind else {
      return instant
    }
    return instant - min(window, instant - origin) / 2
  }

  /// The instants whose windows a time is in.
  package func numbers(holding time: Int64) -> Range<Int> {
    switch kind {
    case .steps(let origin, let step, let window, let span):
      guard span?.contains(time) ?? true else { return 0..<0 }
      let first = Self.steps(time - origin, of: step)
      return (first..<max(first, Self.steps(time - origin + window, of: step)))
        .clamped(to: numbers)
    case .stops(let stops):
      let first = stops.partitioningIndex { $0.upperBound >= time }
      let end = stops[first...].firstIndex { $0.lowerBound > time } ?? stops.count
      return first..<end
    }
  }

  /// Returns the fewest steps that are at least a time.
  package static func steps(_ time: Int64, of step: Int64) -> Int {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: step)
    return Int(quotient) + (remainder > 0 ? 1 : 0)
  }

  /// The step that ends at or after a time, and the bin in it that the time is in; `nil` if it is
  /// in none.
  package func bin(of time: Int64) -> (number: Int, bin: Int)? {
    guard case .steps(let origin, let step, _, let span) = kind, span?.contains(time) ?? true else {
      return nil
    }
    let number = Self.steps(time - origin, of: step)
    guard numbers.contains(number) else { return nil }
    // Within the step, above 0. The bin is the first that does not end before the time.
    let elapsed = time - origin - (Int64(number) - 1) * step
    let (share, isBeyond) = elapsed.multipliedReportingOverflow(by: Int64(bins))
    guard isBeyond else { return (number, Int((share - 1) / step)) }
    // Steps of 19 hours and more; a division of twice the width takes several times as long.
    let (bin, rest) = step.dividingFullWidth(elapsed.multipliedFullWidth(by: Int64(bins)))
    return (number, Int(bin) - (rest == 0 ? 1 : 0))
  }
}

/// The time of the true position that an epoch's answer is measured against.
public enum TruthInstant: Equatable, Sendable {
  /// The epoch's own instant, the window's end: what a user who asks "where am I now" gets.
  case epoch
  /// The middle of the window: takes the delay of averaging out of the error.
  case windowMiddle
}
