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

/// Restores the first values of a chunk from its stored form, which `packedChunk` describes.
///
/// - Parameters:
///   - packed: The stored form.
///   - rows: The number of values in the chunk.
///   - width: The size of a value in bytes: 1, 2, 4 or 8.
///   - values: A buffer of the values to restore.
/// - Returns: `false` if it is not the form of so many values, or on big-endian machines.
func unpack(
  _ packed: [UInt8], rows: Int, width: Int, into values: UnsafeMutableRawBufferPointer
) -> Bool {
  guard 1.littleEndian == 1 else { return false }
  return withUnsafeTemporaryAllocation(byteCount: rows * width, alignment: 8) { planes in
    guard inflate(packed, into: planes) else { return false }
    switch width {
    case 1: values.copyMemory(from: UnsafeRawBufferPointer(rebasing: planes[..<values.count]))
    case 2: unshuffle(planes, of: rows, into: values.bindMemory(to: UInt16.self))
    case 4: unshuffle(planes, of: rows, into: values.bindMemory(to: UInt32.self))
    default: unshuffle(planes, of: rows, into: values.bindMemory(to: UInt64.self))
    }
    return true
  }
}

/// Joins the bytes of the first words, which `shuffle` sorted.
private func unshuffle<Word: FixedWidthInteger>(
  _ planes: UnsafeMutableRawBufferPointer, of rows: Int,
  into words: UnsafeMutableBufferPointer<Word>
) {
  for plane in 0..<MemoryLayout<Word>.size {
    let shuffled = UnsafeMutableRawBufferPointer(
      rebasing: planes[plane * rows..<plane * rows + words.count])
    let shift = Word(truncatingIfNeeded: plane * 8)
    for row in 0..<words.count {
      let byte = Word(truncatingIfNeeded: shuffled[row]) &<< shift
      words[row] = plane == 0 ? byte : words[row] | byte
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

/// Fills a buffer with inflated bytes; returns `false` if they are not as many.
private func inflate(_ packed: [UInt8], into bytes: UnsafeMutableRawBufferPointer) -> Bool {
  guard let decompressor = libdeflate_alloc_decompressor() else { return false }
  defer { libdeflate_free_decompressor(decompressor) }
  return libdeflate_zlib_decompress(
    decompressor, packed, packed.count, bytes.baseAddress, bytes.count, nil)
    == LIBDEFLATE_SUCCESS
}
