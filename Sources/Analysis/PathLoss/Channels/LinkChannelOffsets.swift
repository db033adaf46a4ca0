/// The channel offsets of one link from its mean level over channels.
package struct LinkChannelOffsets: Equatable, Sendable {
  /// The offsets of channels 37 to 39, in dB.
  private var offsets: [Double]

  /// - Parameter offsets: The offsets, of which those of the receiver and of the beacon are added.
  package init(_ offsets: [ChannelOffset], beacon: String, receiver: String) {
    self.offsets = [0, 0, 0]
    for one in offsets where one.beacon == beacon || one.receiver == receiver {
      self.offsets[Int(one.channel - ChannelOffset.channels.lowerBound)] += one.offset
    }
  }

  /// Returns the offset of a channel in dB; 0 if it has none or is unknown.
  package subscript(channel: UInt8) -> Double {
    guard ChannelOffset.channels.contains(channel) else { return 0 }
    return offsets[Int(channel - ChannelOffset.channels.lowerBound)]
  }

  package var isEmpty: Bool { offsets.allSatisfy { $0 == 0 } }
}

extension Station {
  /// Returns the station with its channel offsets removed.
  package func removing(_ offsets: LinkChannelOffsets) -> Station {
    guard !offsets.isEmpty else { return self }
    var result = self
    result.levels = LevelCount.merged(
      levels.map { one in
        var one = one
        one.level -= offsets[one.channel]
        return one
      })
    // Sums over several channels mix levels with different shifts, and nothing uses them.
    if Set(levels.map(\.channel)).count == 1 {
      result.succession.shift(by: -offsets[levels[0].channel])
    }
    return result
  }
}

extension Succession {
  /// Shifts all levels of the pairs.
  fileprivate mutating func shift(by offset: Double) {
    let total = Double(pairs) * offset
    products += offset * (earlier + later + total)
    earlier += total
    later += total
  }
}
