internal import CHDF5
import Glibc
import Support

/// Throws if a file is not HDF5, with a message about its actual kind.
func requireHDF5(_ path: String) throws(RSSIError) {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw .opening(path, errno)
  }
  guard status.st_mode & S_IFMT != S_IFDIR else {
    throw RSSIError(
      .noInput, "this is a directory", in: path,
      advice: "name a trace in it, or merge its traces with `rssi merge`")
  }
  guard access(path, R_OK) == 0 else {
    throw .permissionDenied(path: path)
  }
  // A log suffices, even if the file is damaged.
  guard !isLog(path + WriteAheadLog.suffix) else { return }
  guard status.st_size > 0 else { throw RSSIError(.badInput, "the file is empty", in: path) }
  guard H5Fis_hdf5(path) > 0 else { throw notHDF5(path) }
}

/// Returns the error of a file that is not HDF5, with its kind from its first bytes.
private func notHDF5(_ path: String) -> RSSIError {
  let head = firstBytes(of: path, 4096)
  if head.starts(with: WriteAheadLog.format) {
    let trace = path.hasSuffix(WriteAheadLog.suffix) ? String(path.dropLast(4)) : "a trace"
    return RSSIError(
      .badInput, "this is the log of \(trace)", in: path,
      advice: "give the name of the trace, which is read with its log")
  }
  if let foreign = ForeignContent(head) {
    return RSSIError(.badInput, foreign.name, in: path, advice: foreign.advice)
  }
  if let other = KnownFile(head), ![.trace, .recording, .readings, .sightings].contains(other) {
    return other.misplaced(path, for: "a trace")
  }
  return RSSIError(
    .badInput,
    "not an HDF5 file", in: path,
    advice: "convert a recording or a table with `rssi import \(path) -o trace.h5`")
}

/// Returns the first bytes of a file, up to a limit.
private func firstBytes(of path: String, _ count: Int) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var head = [UInt8](repeating: 0, count: count)
  return Array(head[..<max(0, read(descriptor, &head, count))])
}

/// Opens a file that is complete, being written, or left by a killed writer, whose log is then
/// read.
///
/// A writer that ends while the file is opened changes it between two reads: HDF5 reads the length
/// of the file before the declared length, and the mark of an open file before we do. An attempt
/// during writing is therefore repeated.
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
      "another program has it open for writing", in: path, advice: "close it there first")
  }
  throw RSSIError(
    .badInput,
    "damaged or truncated HDF5 file (\(detail))", in: path,
    advice: "copy it again from its source")
}

/// Opens the file normally, then as a reader of a live writer's file, which also works after the
/// writer was killed.
func openOnce(_ path: String) -> hid_t {
  let properties = Handle(H5Pcreate(chdf5_file_access()), close: H5Pclose)
  // File systems without locks are read without.
  H5Pset_file_locking(properties.id, true, true)
  let id = H5Fopen(path, chdf5_read_only(), properties.id)
  guard id < 0, isMarkedAsOpen(path) else { return id }
  // HDF5 doubles the wait before each attempt: 25 attempts are a tenth of a second, its default of
  // 100 is for ever.
  H5Pset_metadata_read_attempts(properties.id, 25)
  return H5Fopen(path, chdf5_read_only() | chdf5_swmr_read(), properties.id)
}

/// Returns a Boolean value that is true if a program has it open for writing by HDF5's rules, as
/// h5py does.
private func isLocked(_ path: String) -> Bool {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
}

/// Returns a Boolean value that is true if the file is marked as open for writing: byte 11 of a
/// version 3 superblock.
private func isMarkedAsOpen(_ path: String) -> Bool {
  let head = firstBytes(of: path, 12)
  return head.count == 12 && head[8] >= 3 && head[11] != 0
}
