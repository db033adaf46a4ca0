import Geometry

/// The instants at which the position of one node is asked, numbered in their order, and the window
/// of time from which each takes its levels.
///
/// A window has its end, but not its start. All times are nanoseconds since the Unix epoch, by the
/// clock of the truth where there is one.
package enum EpochSchedule: Equatable, Sendable {
  /// Whole multiples of the step since the Unix epoch, without end.
  ///
  /// Times lie within ± 9·10⁹ s, so that no sum overflows.
  case always(step: Int64, window: Int64)
  /// One instant after each step of the time for which the truth is known.
  ///
  /// A window longer than the step overlaps the one before, a shorter one leaves sightings out. No
  /// window reaches back before the first truth, whose own time it then includes.
  case walk(ClosedRange<Int64>, step: Int64, window: Int64)
  /// One instant at the end of each stop, both ends of which count; in order of time.
  case stops([ClosedRange<Int64>])

  /// The longest bin of raw levels, in nanoseconds: a person walks half a metre in it.
  package static let longestBin: Int64 = 500_000_000

  /// The numbers of all instants.
  package var numbers: Range<Int> {
    switch self {
    case .always: .min..<(.max)
    case .walk(let span, let step, _):
      1..<Int((span.upperBound - span.lowerBound) / step) + 1
    case .stops(let stops): stops.indices
    }
  }

  package func instant(_ number: Int) -> Int64 {
    switch self {
    case .always(let step, _): Int64(number) * step
    case .walk(let span, let step, _): span.lowerBound + Int64(number) * step
    case .stops(let stops): stops[number].upperBound
    }
  }

  /// The start of an instant's window, which is not part of it.
  package func start(_ number: Int) -> Int64 {
    switch self {
    case .always(_, let window): instant(number) - window
    case .walk(let span, let step, let window):
      Int64(number) * step < window ? span.lowerBound - 1 : instant(number) - window
    case .stops(let stops): stops[number].lowerBound - 1
    }
  }

  /// The time of the true position that an answer is measured against; that of a stop is its end.
  package func asked(_ number: Int, truth: TruthInstant) -> Int64 {
    let instant = instant(number)
    guard truth == .windowMiddle, case .walk(let span, _, let window) = self else { return instant }
    return instant - min(window, instant - span.lowerBound) / 2
  }

  /// The instants whose windows a time is in.
  package func numbers(holding time: Int64) -> Range<Int> {
    switch self {
    case .always(let step, let window):
      return Self.numbers(from: time, window: window, step: step)
    case .walk(let span, let step, let window):
      guard span.contains(time) else { return 0..<0 }
      let length = span.upperBound - span.lowerBound
      let numbers = Self.numbers(
        from: time - span.lowerBound, window: min(window, length + 1), step: step)
      return numbers.clamped(to: self.numbers)
    case .stops(let stops):
      let first = stops.partitioningIndex { $0.upperBound >= time }
      let end = stops[first...].firstIndex { $0.lowerBound > time } ?? stops.count
      return first..<end
    }
  }

  /// The multiples of a step from a time on, up to but not including the end of a window after it.
  private static func numbers(from time: Int64, window: Int64, step: Int64) -> Range<Int> {
    let first = roundedUp(time, step)
    return first..<max(first, roundedUp(time + window, step))
  }

  private static func roundedUp(_ time: Int64, _ step: Int64) -> Int {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: step)
    return Int(quotient) + (remainder > 0 ? 1 : 0)
  }

  /// The number of bins that make up each step: the fewest that are not too long. None for stops: a
  /// node that stops does not walk, and one question has the levels of its whole time.
  package var bins: Int {
    switch self {
    case .always(let step, _), .walk(_, let step, _): Int((step - 1) / Self.longestBin + 1)
    case .stops: 0
    }
  }

  /// The step that ends at or after a time, and the bin in it that the time is in; `nil` if it is
  /// in none.
  package func bin(of time: Int64) -> (number: Int, bin: Int)? {
    let (sinceOrigin, step): (Int64, Int64)
    switch self {
    case .always(let length, _): (sinceOrigin, step) = (time, length)
    case .walk(let span, let length, _):
      guard span.contains(time) else { return nil }
      (sinceOrigin, step) = (time - span.lowerBound, length)
    case .stops: return nil
    }
    let number = Self.roundedUp(sinceOrigin, step)
    guard numbers.contains(number) else { return nil }
    // Within the step, above 0. The bin is the first that does not end before the time.
    let elapsed = sinceOrigin - (Int64(number) - 1) * step
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
