internal import CHDF5

/// An HDF5 identifier that is closed when nobody holds it any more.
final class Handle {
  private(set) var id: hid_t
  private let closeFunction: (hid_t) -> herr_t

  init(_ id: hid_t, close: @escaping (hid_t) -> herr_t) {
    self.id = id
    closeFunction = close
  }

  /// Closes it now; false if what was still to be written could not be.
  func close() -> Bool {
    guard id >= 0 else { return true }
    let done = closeFunction(id) >= 0
    id = -1
    return done
  }

  deinit { _ = close() }
}
