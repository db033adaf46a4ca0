internal import CHDF5
import Glibc
import Support

/// Converts HDF5's error stack into an error that a user can act on.
func hdf5Failure(_ operation: String, _ path: String) -> RSSIError {
  var message = chdf5_message()
  chdf5_last_error(&message)
  var number = chdf5_errno(&message)
  // The failed write may belong to an earlier call that could not return an error.
  if number == 0 { number = Abandonment.cause }
  switch number {
  case ENOSPC, EDQUOT, EFBIG:
    Abandonment.begin(number)
    return RSSIError(
      .inputOutput, "cannot \(operation) \(path): no space left; free some or write elsewhere")
  case EACCES, EPERM, EROFS:
    return RSSIError(
      .permission, "cannot \(operation) \(path): \(systemMessage(number))")
  case 0:
    let detail = String(cString: chdf5_text(&message))
    return RSSIError(
      .failed, "cannot \(operation) \(path): \(detail.isEmpty ? "HDF5 failed" : detail)")
  default:
    Abandonment.begin(number)
    return RSSIError(
      .inputOutput, "cannot \(operation) \(path): \(systemMessage(number))")
  }
}

/// Checks the result of an HDF5 call that reads: if the system reports no error, the file is
/// damaged.
@discardableResult
func checkRead<Result: SignedInteger>(
  _ result: Result, _ operation: @autoclosure () -> String, _ path: @autoclosure () -> String
) throws(RSSIError) -> Result {
  guard result >= 0 else {
    var failure = hdf5Failure(operation(), path())
    if failure.kind == .failed {
      failure.kind = .badInput
      failure.advice =
        "the file is damaged or was written by another program; `rssi repair` recovers intact rows"
    }
    throw failure
  }
  return result
}

/// Copies or changes parts of another trace: if HDF5 fails without a system error, that trace is
/// damaged.
func blaming<Result: ~Copyable>(
  _ source: String, _ body: () throws(RSSIError) -> Result
) throws(RSSIError) -> Result {
  do throws(RSSIError) {
    return try body()
  } catch {
    guard error.kind == .failed else { throw error }
    throw RSSIError(
      .badInput, error.description,
      advice: "\(source) is damaged or was written by another program")
  }
}

/// Checks the result of an HDF5 call that writes, which is negative on failure.
///
/// - Throws: Also if any earlier write failed, because HDF5's caches then differ from the file.
@discardableResult
func check<Result: SignedInteger>(
  _ result: Result, _ operation: @autoclosure () -> String, _ path: @autoclosure () -> String
) throws(RSSIError) -> Result {
  guard result >= 0, !Abandonment.isOn else { throw hdf5Failure(operation(), path()) }
  return result
}
