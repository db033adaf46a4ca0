internal import CHDF5
import Glibc
import Support

/// Refuses what is not an HDF5 file, in words that show what it is.
func requireHDF5(_ path: String) throws(RSSIError) {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw RSSIError(
      errno == EACCES ? .permission : .noInput,
      "cannot open \(path): \(systemMessage(errno))")
  }
  guard status.st_mode & S_IFMT != S_IFDIR else {
    throw RSSIError(
      .noInput, "this is a directory", in: path,
      advice: "name a trace in it, or make one trace of all with `rssi merge`")
  }
  guard access(path, R_OK) == 0 else {
    throw RSSIError(.permission, "cannot open \(path): you may not read it")
  }
  // A log is enough, whatever became of the file.
  guard !isLog(path + WriteAheadLog.suffix) else { return }
  guard status.st_size > 0 else { throw RSSIError(.badInput, "\(path) is empty") }
  guard H5Fis_hdf5(path) > 0 else { throw notHDF5(path) }
}

/// The refusal of a file that is not HDF5, with what its beginning shows it to be.
private func notHDF5(_ path: String) -> RSSIError {
  let head = firstBytes(of: path, 4096)
  if head.starts(with: WriteAheadLog.format) {
    let trace = path.hasSuffix(WriteAheadLog.suffix) ? String(path.dropLast(4)) : "a trace"
    return RSSIError(
      .badInput, "this is the log of \(trace)", in: path,
      advice: "name the trace, which is read with its log")
  }
  if let foreign = ForeignContent(head) {
    return RSSIError(.badInput, foreign.name, in: path, advice: foreign.advice)
  }
  if String(decoding: head, as: UTF8.self).contains("\"rssi-calibration\"") {
    return RSSIError(
      .badInput, "this is a calibration, not a trace", in: path, advice: "use it as `calibration`")
  }
  return RSSIError(
    .badInput,
    "\(path) is not an HDF5 file; a recording or a table becomes one with `rssi import \(path) "
      + "-o trace.h5`"
  )
}

/// The first bytes of a file, at most a given count.
private func firstBytes(of path: String, _ count: Int) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var head = [UInt8](repeating: 0, count: count)
  return Array(head[..<max(0, read(descriptor, &head, count))])
}

/// Opens a file, be it whole, being written or left by a writer that was killed: of that one, what
/// its log has.
///
/// A writer that ends while the file is opened changes it between two looks at it: HDF5 reads the
/// length of the file before the length that the file declares, and whether it is marked as open
/// before we do. What cannot be opened while it is written is therefore tried again.
func openHDF5(_ path: String) throws(RSSIError) -> Handle {
  if let recovered = try recoverFromLog(path) { return recovered }
  var attempts = 100
  while true {
    let isChanging = isBeingWritten(path)
    let id = openOnce(path)
    if id >= 0 { return Handle(id, close: H5Fclose) }
    attempts -= 1
    guard isChanging, attempts > 0 else { break }
    usleep(10_000)
  }
  var message = chdf5_message()
  chdf5_last_error(&message)
  let detail = String(cString: chdf5_text(&message))
  guard !isLocked(path) else {
    throw RSSIError(
      .inputOutput,
      "cannot open \(path): another program has it open for writing; close it there first")
  }
  throw RSSIError(
    .badInput,
    "\(path) is a damaged or truncated HDF5 file (\(detail)): copy it again from its source")
}

/// Opens plainly, then as a reader beside a live writer, which also opens what a killed one left.
func openOnce(_ path: String) -> hid_t {
  let properties = Handle(H5Pcreate(chdf5_file_access()), close: H5Pclose)
  // Where the file system has no locks, reading goes without.
  H5Pset_file_locking(properties.id, true, true)
  let id = H5Fopen(path, chdf5_read_only(), properties.id)
  guard id < 0, isMarkedAsOpen(path) else { return id }
  // HDF5 waits twice as long before each attempt: 25 are a tenth of a second, its own 100 for
  // ever.
  H5Pset_metadata_read_attempts(properties.id, 25)
  return H5Fopen(path, chdf5_read_only() | chdf5_swmr_read(), properties.id)
}

/// Returns true if a program has it open for writing by HDF5's rules, as h5py does.
private func isLocked(_ path: String) -> Bool {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
}

/// Returns true if the file states that a program has it open for writing: byte 11 of a version 3
/// superblock.
private func isMarkedAsOpen(_ path: String) -> Bool {
  let head = firstBytes(of: path, 12)
  return head.count == 12 && head[8] >= 3 && head[11] != 0
}
