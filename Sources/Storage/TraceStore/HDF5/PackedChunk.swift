internal import CDeflate
import Glibc

/// Returns a chunk of a column in its stored form: its bytes shuffled, then deflated at level 1.
///
/// HDF5's own filters produce the same, but only on one thread at a time. Here the columns of a
/// table are compressed on all cores, by a faster library.
///
/// | element | shuffled |
/// |---|---|
/// | bytes `a0 a1`, `b0 b1`, … | `a0 b0 …`, then `a1 b1 …` |
///
/// Source: HDF5 reference manual, H5Pset_shuffle and H5Pset_deflate; RFC 1950 for the deflated
/// form.
///
/// - Returns: The chunk, or `nil` if there is no memory, or on big-endian machines.
func packedChunk<Element: Scalar>(_ values: [Element]) -> [UInt8]? {
  guard 1.littleEndian == 1 else { return nil }
  return values.withUnsafeBytes { bytes in
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 8) { planes in
      switch MemoryLayout<Element>.size {
      case 1: shuffle(bytes.bindMemory(to: UInt8.self), into: planes)
      case 2: shuffle(bytes.bindMemory(to: UInt16.self), into: planes)
      case 4: shuffle(bytes.bindMemory(to: UInt32.self), into: planes)
      default: shuffle(bytes.bindMemory(to: UInt64.self), into: planes)
      }
      return deflated(planes)
    }
  }
}

/// Sorts the bytes of words by significance, by shifts, which the compiler vectorises.
private func shuffle<Word: FixedWidthInteger>(
  _ words: UnsafeBufferPointer<Word>, into planes: UnsafeMutableRawBufferPointer
) {
  for plane in 0..<MemoryLayout<Word>.size {
    let shuffled = UnsafeMutableRawBufferPointer(
      rebasing: planes[plane * words.count..<(plane + 1) * words.count])
    let shift = Word(truncatingIfNeeded: plane * 8)
    for row in 0..<words.count {
      shuffled[row] = UInt8(truncatingIfNeeded: words[row] &>> shift)
    }
  }
}

/// Returns bytes deflated at level 1, or `nil` if there is no memory.
private func deflated(_ bytes: UnsafeMutableRawBufferPointer) -> [UInt8]? {
  guard let compressor = libdeflate_alloc_compressor(1) else { return nil }
  defer { libdeflate_free_compressor(compressor) }
  let room = libdeflate_zlib_compress_bound(compressor, bytes.count)
  let packed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
    count = libdeflate_zlib_compress(
      compressor, bytes.baseAddress, bytes.count, output.baseAddress, room)
  }
  return packed.isEmpty ? nil : packed
}
