internal import Dispatch
import Support

/// Rows on their way into a column: compressed on any thread, then written by the caller's.
struct ColumnAppend {
  let pack: () -> Void
  let write: () throws(RSSIError) -> Void
}

/// Appends to several columns, which are compressed at the same time and written in their order.
///
/// The last are compressed first, so put those that take longest there.
func append(_ appends: [ColumnAppend]) throws(RSSIError) {
  // Each is touched by one thread only, and all threads are done when the call returns.
  nonisolated(unsafe) let appends = appends
  DispatchQueue.concurrentPerform(iterations: appends.count) { index in
    appends[appends.count - 1 - index].pack()
  }
  for append in appends { try append.write() }
}
