internal import CZlib

/// A chunk of a column as it lies in the file: its bytes shuffled, then deflated at level 1.
///
/// What HDF5's own filters make, which only one thread at a time may use; made here, the columns of
/// a table are packed on all cores.
///
/// | element | shuffled |
/// |---|---|
/// | bytes `a0 a1`, `b0 b1`, … | `a0 b0 …`, then `a1 b1 …` |
///
/// Source: HDF5 reference manual, H5Pset_shuffle and H5Pset_deflate; RFC 1950 for the deflated form.
///
/// - Parameter strategy: zlib's; `Z_RLE` looks for runs only, which is all that noise has.
/// - Returns: nil where zlib finds no memory, and on machines that keep numbers big-endian.
func packedChunk<Element: Scalar>(_ values: [Element], strategy: Int32) -> [UInt8]? {
  guard 1.littleEndian == 1 else { return nil }
  let width = MemoryLayout<Element>.size
  return values.withUnsafeBytes { bytes in
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 8) { planes in
      for plane in 0..<width {
        let shuffled = UnsafeMutableRawBufferPointer(
          rebasing: planes[plane * values.count..<(plane + 1) * values.count])
        for row in 0..<values.count { shuffled[row] = bytes[row * width + plane] }
      }
      return deflated(planes, strategy: strategy)
    }
  }
}

/// Deflates bytes at level 1; nil where zlib finds no memory.
private func deflated(_ bytes: UnsafeMutableRawBufferPointer, strategy: Int32) -> [UInt8]? {
  var stream = z_stream()
  guard
    deflateInit2_(
      &stream, 1, Z_DEFLATED, MAX_WBITS, 8, strategy, zlibVersion(),
      Int32(MemoryLayout<z_stream>.size)) == Z_OK
  else { return nil }
  defer { deflateEnd(&stream) }
  let room = deflateBound(&stream, uLong(bytes.count))
  var isWhole = false
  let packed = [UInt8](unsafeUninitializedCapacity: Int(room)) { output, count in
    stream.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
    stream.avail_in = uInt(bytes.count)
    stream.next_out = output.baseAddress
    stream.avail_out = uInt(room)
    isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
    count = Int(stream.total_out)
  }
  return isWhole ? packed : nil
}
