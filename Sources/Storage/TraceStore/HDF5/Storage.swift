/// The layout of the columns of a file.
enum Storage {
  /// Shuffle and deflate 1: as small as higher levels on this data, and faster.
  case packed
  /// As they are, in small chunks, for a file that others read while it is being written: each
  /// flush of a partial compressed chunk would write it again and leak the old one. What is written
  /// goes into the log as well.
  case live(WriteAheadLog)

  /// The most rows in a chunk; a chunk must stay below HDF5's cache of 1 MiB.
  var chunk: Int { isPacked ? 65_536 : 8_192 }

  /// Rows in a chunk of a table that mostly has few: HDF5 compresses chunks whole, however empty.
  var smallChunk: Int { isPacked ? 1_024 : 8_192 }

  /// Bytes in a chunk of text.
  var textChunk: Int { isPacked ? 16_384 : 8_192 }

  var isPacked: Bool { log == nil }

  /// The log that takes what is written to the columns, if any.
  var log: WriteAheadLog? {
    switch self {
    case .packed: nil
    case .live(let log): log
    }
  }
}
