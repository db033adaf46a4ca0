internal import CHDF5
import Glibc
import Synchronization

/// An HDF5 identifier that is closed with its last reference.
final class Handle {
  private(set) var id: hid_t
  private let closeFunction: (hid_t) -> herr_t

  init(_ id: hid_t, close: @escaping (hid_t) -> herr_t) {
    self.id = id
    closeFunction = close
  }

  /// Closes it now; returns `false` if pending data could not be written.
  func close() -> Bool {
    guard id >= 0, !Abandonment.isOn else { return !Abandonment.isOn }
    // The last owner may be on a thread without earlier calls, and closing a file has closed its
    // datasets.
    chdf5_silence()
    let done = closeFunction(id) >= 0
    id = -1
    return done
  }

  deinit { _ = close() }
}

/// The state after a failed write of HDF5.
///
/// Its caches then contain data that will never reach the disk, and closing anything retries and
/// crashes inside the library (measured with 1.10.8 and a full disk). So nothing is closed any
/// more: the identifiers leak until the process ends, which is imminent.
enum Abandonment {
  private static let number = Atomic(Int32(0))

  static var isOn: Bool { cause != 0 }

  /// The system's error number of the first failed write; 0 if there is none.
  static var cause: Int32 { number.load(ordering: .relaxed) }

  /// - Parameter cause: The system's error number; 0 if it is unknown.
  static func begin(_ cause: Int32) {
    _ = number.compareExchange(expected: 0, desired: cause == 0 ? EIO : cause, ordering: .relaxed)
  }
}

/// Prepares HDF5 for the calling thread: no printing of errors, no clean-up at exit, which would
/// retry failed writes, and no links into other files.
func prepareHDF5() {
  _ = isPrepared
  chdf5_silence()
}

/// Only the first use counts; both must run before the library is started.
private let isPrepared: Bool = {
  let isDone = H5dont_atexit() >= 0
  chdf5_refuse_external_links()
  return isDone
}()

/// The version of the installed HDF5 library, such as `1.10.8`.
package var hdf5Version: String {
  var (major, minor, release): (UInt32, UInt32, UInt32) = (0, 0, 0)
  guard H5get_libversion(&major, &minor, &release) >= 0 else { return "unknown" }
  return "\(major).\(minor).\(release)"
}
