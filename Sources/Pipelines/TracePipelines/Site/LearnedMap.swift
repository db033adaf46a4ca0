import Geometry
import Positioning
package import Sightings
import Support

/// A radio map of a file among the anchors of a run, and the settings that must be the same for it
/// to be valid.
package struct LearnedMap: Sendable {
  /// The file, for messages.
  let name: String
  /// The role of the moving nodes.
  let role: NodeRole
  let variation: LevelVariation
  /// The exponents in a building; nil on a plane.
  let exponents: FloorExponents?
  let dimensions: Surroundings.Dimensions
  /// The height of the nodes above the site's zero, in metres; nil = the median of the anchors.
  let height: Double?
  /// Its anchors as they were when it was learned, by their numbers in the run.
  let anchors: [Int: Anchor]

  /// Throws an error if the settings differ from those with which the map was learned.
  ///
  /// - Parameters:
  ///   - known: the anchors of the run, and the questions.
  ///   - height: the requested height of the node.
  ///   - names: the names of the anchors.
  /// - Throws: `.badInput` that names the first difference.
  func requireSame(
    _ role: NodeRole, _ known: Surroundings, height: Double?, names: [String]
  ) throws(RSSIError) {
    guard role == self.role else {
      throw refusal(
        "it was learned for moving \(self.role.plural), and \(role.plural) move here",
        advice: "learn another one from a survey of these")
    }
    guard dimensions == known.dimensions else {
      throw refusal(
        "it was learned with `dimensions` \(dimensions.rawValue)",
        advice: "give the same, or learn another one")
    }
    guard self.height == height else {
      throw refusal(
        "it was learned for nodes at \(Self.words(self.height)), and these are at "
          + Self.words(height), advice: "give the same `height`, or learn another one")
    }
    for (number, learned) in anchors.sorted(by: { $0.key < $1.key }) {
      var anchor = known.anchors[number]
      anchor.reception = learned.reception
      guard anchor != learned else { continue }
      throw difference(of: names[number], learned, anchor)
    }
  }

  private func difference(of id: String, _ learned: Anchor, _ anchor: Anchor) -> RSSIError {
    guard learned.heightDifference == anchor.heightDifference else {
      return refusal(
        "\(id) is \(decimal(learned.heightDifference, 2)) m above the nodes there, and "
          + "\(decimal(anchor.heightDifference, 2)) m here: the median height of the anchors "
          + "differs", advice: "learn it with `height`, and give the same here")
    }
    return refusal(
      "\(id) has \(Self.words(learned)) there, and \(Self.words(anchor)) by the calibration here",
      advice: "give the calibration and the `group` that it was learned with, or none, as it holds "
        + "them")
  }

  private func refusal(_ problem: String, advice: String) -> RSSIError {
    RSSIError(.badInput, "this radio map does not fit: \(problem)", in: name, advice: advice)
  }

  private static func words(_ height: Double?) -> String {
    height.map { "\(plain($0)) m" } ?? "the median height of the anchors"
  }

  private static func words(_ anchor: Anchor) -> String {
    "\(decimal(anchor.measuredPower, 2)) dBm at 1 m, the exponent \(decimal(anchor.exponent, 3)) "
      + "and a sigma of \(decimal(anchor.sigma, 2)) dB"
  }
}

extension NodeRole {
  /// The plural of the role's nodes.
  package var plural: String { self == .receiver ? "receivers" : "beacons" }
}
