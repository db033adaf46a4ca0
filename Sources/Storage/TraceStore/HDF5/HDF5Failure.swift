internal import CHDF5
import Glibc
import Support

/// Turns HDF5's error stack into an error that a user can act on.
func hdf5Failure(_ operation: String, _ path: String) -> RSSIError {
  var message = chdf5_message()
  chdf5_last_error(&message)
  var number = chdf5_errno(&message)
  // The write that failed may have been another call's, which had no error to return.
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

/// The result of an HDF5 call that reads: where the system reports no error, the file is at fault.
@discardableResult
func checkRead<Result: SignedInteger>(
  _ result: Result, _ operation: @autoclosure () -> String, _ path: @autoclosure () -> String
) throws(RSSIError) -> Result {
  guard result >= 0 else {
    var failure = hdf5Failure(operation(), path())
    if failure.kind == .failed {
      failure.kind = .badInput
      failure.advice =
        "the file is damaged or written by another program; `rssi repair` keeps what is whole"
    }
    throw failure
  }
  return result
}

/// Runs what copies or changes parts of another trace: where HDF5 fails and the system reports no
/// error, that trace is at fault.
func blaming<Result: ~Copyable>(
  _ source: String, _ body: () throws(RSSIError) -> Result
) throws(RSSIError) -> Result {
  do throws(RSSIError) {
    return try body()
  } catch {
    guard error.kind == .failed else { throw error }
    throw RSSIError(
      .badInput, error.description, advice: "\(source) is damaged or written by another program")
  }
}

/// The result of an HDF5 call that writes, which is negative if it failed.
///
/// - Throws: also if any earlier write failed: what is in HDF5's caches is not what is in the file.
@discardableResult
func check<Result: SignedInteger>(
  _ result: Result, _ operation: @autoclosure () -> String, _ path: @autoclosure () -> String
) throws(RSSIError) -> Result {
  guard result >= 0, !Abandonment.isOn else { throw hdf5Failure(operation(), path()) }
  return result
}
