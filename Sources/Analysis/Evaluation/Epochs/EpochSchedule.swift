import Geometry

/// The numbered instants at which the position of one node is asked, each with the window of its
/// levels.
///
/// A window includes its end, but not its start. All times are nanoseconds since the Unix epoch, by
/// the clock of the truth if there is one.
package struct EpochSchedule: Equatable, Sendable {
  private enum Kind: Equatable, Sendable {
    /// One instant after each step from an origin, within an optional span.
    case steps(origin: Int64, step: Int64, window: Int64, span: ClosedRange<Int64>?)
    case stops([ClosedRange<Int64>])
  }

  private let kind: Kind
  /// The numbers of all instants.
  package let numbers: Range<Int>
  /// The number of bins in each step: the fewest of acceptable length. There are none for stops,
  /// because a node that stops does not walk, and one question has the levels of its whole time.
  package let bins: Int

  private init(_ kind: Kind, _ numbers: Range<Int>) {
    (self.kind, self.numbers) = (kind, numbers)
    bins =
      if case .steps(_, let step, _, _) = kind { Int((step - 1) / Self.longestBin + 1) } else { 0 }
  }

  /// Returns whole multiples of the step since the Unix epoch, without end.
  ///
  /// Times are within ± 9·10⁹ s, so that no sum overflows.
  package static func always(step: Int64, window: Int64) -> EpochSchedule {
    EpochSchedule(.steps(origin: 0, step: step, window: window, span: nil), .min..<(.max))
  }

  /// Returns one instant after each step of the time with known truth.
  ///
  /// A window longer than the step overlaps the previous one; a shorter one omits sightings. No
  /// window extends before the first truth, whose time the first window includes.
  package static func walk(
    _ span: ClosedRange<Int64>, step: Int64, window: Int64
  ) -> EpochSchedule {
    let length = span.upperBound - span.lowerBound
    return EpochSchedule(
      .steps(origin: span.lowerBound, step: step, window: min(window, length + 1), span: span),
      1..<Int(length / step) + 1)
  }

  /// Returns one instant at the end of each stop, in order of time; both ends of a stop are
  /// included.
  package static func stops(_ stops: [ClosedRange<Int64>]) -> EpochSchedule {
    EpochSchedule(.stops(stops), stops.indices)
  }

  /// The longest bin of raw levels, in nanoseconds, in which a person walks half a metre.
  package static let longestBin: Int64 = 500_000_000

  /// A Boolean value that is true if there is no first and no last instant.
  package var isEndless: Bool { numbers.upperBound == .max }

  package func instant(_ number: Int) -> Int64 {
    switch kind {
    case .steps(let origin, let step, _, _): origin + Int64(number) * step
    case .stops(let stops): stops[number].upperBound
    }
  }

  /// Returns the start of an instant's window, which is exclusive.
  package func start(_ number: Int) -> Int64 {
    switch kind {
    case .steps(let origin, let step, let window, let span):
      span != nil && Int64(number) * step < window ? origin - 1 : instant(number) - window
    case .stops(let stops): stops[number].lowerBound - 1
    }
  }

  /// Returns the time of the true position for an answer; for a stop it is the end.
  package func asked(_ number: Int, truth: TruthInstant) -> Int64 {
    let instant = instant(number)
    guard truth == .windowMiddle, case .steps(let origin, _, let window, _) = kind else {
      return instant
    }
    return instant - min(window, instant - origin) / 2
  }

  /// Returns the instants whose windows contain a time.
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

  /// Returns the smallest number of steps that is at least a time.
  package static func steps(_ time: Int64, of step: Int64) -> Int {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: step)
    return Int(quotient) + (remainder > 0 ? 1 : 0)
  }

  /// Returns the step that ends at or after a time, with its bin that contains the time, or `nil`
  /// if there is none.
  package func bin(of time: Int64) -> (number: Int, bin: Int)? {
    guard case .steps(let origin, let step, _, let span) = kind, span?.contains(time) ?? true else {
      return nil
    }
    let number = Self.steps(time - origin, of: step)
    guard numbers.contains(number) else { return nil }
    // The time within the step is above 0. The bin is the first that does not end before it.
    let elapsed = time - origin - (Int64(number) - 1) * step
    let (share, isBeyond) = elapsed.multipliedReportingOverflow(by: Int64(bins))
    guard isBeyond else { return (number, Int((share - 1) / step)) }
    // For steps of 19 hours and more; a division of twice the width takes several times as long.
    let (bin, rest) = step.dividingFullWidth(elapsed.multipliedFullWidth(by: Int64(bins)))
    return (number, Int(bin) - (rest == 0 ? 1 : 0))
  }
}

/// The time of the true position for an epoch's answer.
public enum TruthInstant: Equatable, Sendable {
  /// The epoch's own instant, the end of the window: the error of a live position.
  case epoch
  /// The middle of the window, which removes the delay of averaging from the error.
  case windowMiddle
}
