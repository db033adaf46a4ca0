/// How the columns of a file are stored.
enum Storage {
  /// Shuffle and deflate 1: as small as higher levels on this data, and faster.
  case packed
  /// As they are, in small chunks, for a file that others read while it is being written: each
  /// flush of a partial compressed chunk would write it again and leak the old one.
  case live

  /// The most rows in a chunk; a chunk must stay below HDF5's cache of 1 MiB.
  var chunk: Int {
    switch self {
    case .packed: 65_536
    case .live: 8_192
    }
  }

  /// Rows in a chunk of a table that mostly has few: HDF5 compresses chunks whole, however empty.
  var smallChunk: Int {
    switch self {
    case .packed: 1_024
    case .live: 8_192
    }
  }

  /// Bytes in a chunk of text.
  var textChunk: Int {
    switch self {
    case .packed: 16_384
    case .live: 8_192
    }
  }
}
