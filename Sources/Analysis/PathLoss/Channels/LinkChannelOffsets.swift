/// What levels of one link lie above their mean over channels, by channel.
package struct LinkChannelOffsets: Equatable, Sendable {
  /// dB, of channels 37 to 39.
  private var offsets: [Double]

  /// - Parameter offsets: those of the receiver and of the beacon add up.
  package init(_ offsets: [ChannelOffset], beacon: String, receiver: String) {
    self.offsets = [0, 0, 0]
    for one in offsets where one.beacon == beacon || one.receiver == receiver {
      self.offsets[Int(one.channel - ChannelOffset.channels.lowerBound)] += one.offset
    }
  }

  /// dB; 0 for a channel that has none, or that is not known.
  package subscript(channel: UInt8) -> Double {
    guard ChannelOffset.channels.contains(channel) else { return 0 }
    return offsets[Int(channel - ChannelOffset.channels.lowerBound)]
  }

  package var isEmpty: Bool { offsets.allSatisfy { $0 == 0 } }
}

extension Station {
  /// The station as if every channel were received alike.
  package func removing(_ offsets: LinkChannelOffsets) -> Station {
    guard !offsets.isEmpty else { return self }
    var result = self
    result.levels = LevelCount.merged(
      levels.map { one in
        var one = one
        one.level -= offsets[one.channel]
        return one
      })
    // Sums over several channels are of levels that move by different amounts, and nothing uses
    // them.
    if Set(levels.map(\.channel)).count == 1 {
      result.succession.shift(by: -offsets[levels[0].channel])
    }
    return result
  }
}

extension Succession {
  /// Moves all levels of the pairs.
  fileprivate mutating func shift(by offset: Double) {
    let total = Double(pairs) * offset
    products += offset * (earlier + later + total)
    earlier += total
    later += total
  }
}
