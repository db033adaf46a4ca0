/// How often each level was heard in one pose, by radio channel: all that a calibration needs of
/// it.
///
/// Levels are whole decibels, so memory does not grow with the number of packets.
package struct PoseLevels: Sendable {
  private struct Reading: Hashable {
    var level: Float
    var channel: UInt8
  }

  private var counts: [Reading: Int] = [:]
  package private(set) var samples = 0

  /// With fewer packets a pose states nothing of its mean: a tenth at either end is less than one.
  package static let fewest = 10

  package init() {}

  /// Adds one packet.
  ///
  /// - Parameters:
  ///   - level: dBm, finite.
  ///   - channel: 37, 38 or 39; 255 = unknown.
  package mutating func add(_ level: Float, channel: UInt8 = 255) {
    counts[Reading(level: level, channel: channel), default: 0] += 1
    samples += 1
  }

  /// The channels that packets were heard on, in order; empty where none is known.
  package var channels: [UInt8] { Set(counts.keys.map(\.channel)).filter { $0 != 255 }.sorted() }

  /// The levels in order, of one channel or of all packets.
  package func levels(channel: UInt8? = nil) -> [LevelCount] {
    var sums: [Float: Int] = [:]
    for (reading, count) in counts where channel == nil || reading.channel == channel {
      sums[reading.level, default: 0] += count
    }
    return sums.sorted { $0.key < $1.key }.map {
      LevelCount(level: Double($0.key), channel: channel ?? 255, count: $0.value)
    }
  }
}
