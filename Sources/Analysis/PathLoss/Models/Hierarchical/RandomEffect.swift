/// A grouping of readings with a common random offset.
package enum RandomEffect: String, CaseIterable, Codable, Sendable {
  case position
  case beacon
  case receiver
  case place
  case pose

  /// Returns the level of a position, or `nil` if there is no such effect.
  func level(of sums: PositionSums) -> Int? {
    switch self {
    case .place: sums.place
    case .pose: sums.pose
    case .position: sums.position
    case .beacon: sums.beacon
    case .receiver: sums.receiver
    }
  }

  /// A random effect that the data cannot determine, with the reason.
  package struct Omission: Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
      /// There is only one beacon or receiver, or none of several has readings.
      case oneLevel
      /// It groups the readings in the same way as another effect.
      case same(as: RandomEffect)
      /// No two packets share one.
      case onePacketEach
      /// Each of two is at its own single distance.
      case sameAsDistance
      /// The variances of the offsets require more links at positions.
      case tooFewPositions
    }

    package let effect: RandomEffect
    package let reason: Reason

    package var description: String {
      let name = effect.rawValue
      return switch reason {
      case .oneLevel: "one \(name) only: its offset is part of the measured power"
      case .same(let other):
        "each \(name) has one \(other.rawValue) of its own: "
          + "the deviation of the \(other.rawValue)s includes both"
      case .onePacketEach:
        "one packet per \(name): its deviation is part of that of the packets"
      case .sameAsDistance:
        "each \(name) was at its own single distance: its offset is part of the exponent"
      case .tooFewPositions: "too few positions to estimate the differences between \(name)s"
      }
    }
  }

  /// Returns the effects whose variance the readings determine, and the omitted ones.
  static func select(
    for sums: [PositionSums]
  ) -> (kept: [RandomEffect], omitted: [RandomEffect.Omission]) {
    var kept: [RandomEffect] = []
    var omitted: [Omission] = []
    let packets = sums.reduce(0) { $0 + $1.n }
    for effect in allCases {
      let levels = sums.compactMap(effect.level)
      guard levels.count == sums.count else { continue }
      let count = Set(levels).count
      let twin = kept.first { areSame(levels, sums.compactMap($0.level)) }
      let reason: Omission.Reason? =
        if count < 2 {
          .oneLevel
        } else if Double(count) == packets {
          .onePacketEach
        } else if let twin {
          .same(as: twin)
        } else if count == 2 && isDetermined(sums, levels) {
          .sameAsDistance
        } else if sums.count < 3 + kept.count {
          .tooFewPositions
        } else {
          nil
        }
      if let reason {
        omitted.append(Omission(effect: effect, reason: reason))
      } else {
        kept.append(effect)
      }
    }
    return (kept, omitted)
  }

  /// Returns a Boolean value that is true if two groupings are the same except for names.
  private static func areSame(_ a: [Int], _ b: [Int]) -> Bool {
    var forth: [Int: Int] = [:]
    var back: [Int: Int] = [:]
    for (one, other) in zip(a, b) {
      guard forth.updateValue(other, forKey: one) ?? other == other,
        back.updateValue(one, forKey: other) ?? one == one
      else { return false }
    }
    return true
  }

  /// Returns a Boolean value that is true if each level has only one distance.
  private static func isDetermined(_ sums: [PositionSums], _ levels: [Int]) -> Bool {
    var places: [Int: Double] = [:]
    for (one, level) in zip(sums, levels) {
      let x = one.x / one.n
      let known = places[level] ?? x
      guard abs(x - known) <= 1e-9 * max(1, abs(known)), one.xx - one.x * x <= 1e-9 * max(1, one.xx)
      else { return false }
      places[level] = known
    }
    return true
  }
}
