import Foundation

/// The time that a test waits for other programs.
///
/// It costs time only where a test fails. What takes a second on an idle machine was measured to
/// take more than twenty on one whose cores are all taken.
public let patience = Duration.seconds(120)

/// Waits until something holds; false where it does not within `patience`.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + patience
  repeat {
    if try condition() { return true }
    usleep(5_000)
  } while ContinuousClock.now < deadline
  return try condition()
}
