import Evaluation
import Geometry
import PathLoss
package import Positioning
package import Sightings
package import Support

/// What was heard of a node at known places, to learn a site from.
package struct SurveyTrack {
  package var target: AskedTarget
  /// Those of the target's epochs that may be learned from.
  package var epochs: [Int]

  package init(_ target: AskedTarget, epochs: [Int]? = nil) {
    self.target = target
    self.epochs = epochs ?? Array(target.epochs.indices)
  }
}

/// What is known to locate nodes at a site: its plan, the places of its anchors, the constants of
/// their links, and what was heard at known places.
package struct SiteKnowledge {
  package let plan: SitePlan
  package let anchors: SiteAnchors
  package let constants: LinkConstants
  package let survey: [SurveyTrack]
  /// Of the anchors by which targets of a role are located.
  private let receptions: [NodeRole: [Anchor.Reception?]]

  package init(
    _ plan: SitePlan, anchors: SiteAnchors, constants: LinkConstants, survey: [SurveyTrack] = []
  ) {
    self.plan = plan
    self.anchors = anchors
    self.constants = constants
    self.survey = survey
    receptions = Dictionary(
      uniqueKeysWithValues: [NodeRole.receiver, .beacon].map { role in
        (
          role,
          Self.receptions(
            survey.filter { $0.target.role == role }, count: anchors.locating(role).count)
        )
      })
  }

  /// What is known to locate a node in a trace; the radio map is yet to be learned.
  ///
  /// - Parameter height: that of the node in the plane, metres above the site's zero of heights;
  ///   nil = not known: the median height of its anchors, on which the survey's places lie too.
  package func surroundings(
    of node: String, _ role: NodeRole, in trace: String, height: Double?
  ) throws(RSSIError) -> Surroundings {
    var known = plan.surroundings
    // Heights count from the target's where only the plane is asked.
    let knownHeight = plan.dimensions == .space ? 0 : height
    let anchors = anchors.locating(role)
    let reference =
      knownHeight ?? SortedSample(anchors.map(\.z).filter(\.isFinite)).quantile(0.5)
    for (anchor, reception) in zip(anchors, receptions[role] ?? []) {
      let (beacon, receiver) = role == .receiver ? (anchor.id, node) : (node, anchor.id)
      let link = try constants.constants(beacon: beacon, receiver: receiver, trace: trace)
      let above = reference.map { anchor.z - $0 } ?? 0
      known.anchors.append(
        Anchor(
          place: Point(x: anchor.x, y: anchor.y), heightDifference: above.isFinite ? above : 0,
          measuredPower: link.measuredPower, exponent: link.exponent, sigma: link.sigma,
          packetSigma: link.packetSigma, reception: reception))
    }
    known.survey = surveyPoints(for: role, reference: knownHeight)
    return known
  }

  /// A survey on the move that pauses for longer goes on as another recording: the device was put
  /// down, and taken up in another way. Between stops there is always a pause.
  private static let longestPause = 60 * Timestamp.second

  /// What nodes of a role heard at the places of the survey, each stretch without a pause as a
  /// recording.
  private func surveyPoints(for role: NodeRole, reference: Double?) -> [SurveyPoint] {
    var points: [SurveyPoint] = []
    var recording = -1
    for track in survey where track.target.role == role {
      var last: Int64?
      for index in track.epochs {
        let epoch = track.target.epochs[index]
        guard !epoch.heard.levels.isEmpty else { continue }
        let isMoving = !epoch.heard.readings.isEmpty
        if last.map({ isMoving && epoch.heard.start - $0 > Self.longestPause }) ?? true {
          recording += 1
        }
        last = epoch.heard.instant
        points.append(
          SurveyPoint(
            place: epoch.truth,
            height: epoch.height.flatMap { height in reference.map { height - $0 } },
            levels: epoch.heard.levels, trace: recording))
      }
    }
    return points
  }

  /// How often each anchor is heard where it is received well.
  private static func receptions(
    _ survey: [SurveyTrack], count: Int
  ) -> [Anchor.Reception?] {
    var windows = [[ReceptionWindow]](repeating: [], count: count)
    for track in survey {
      for index in track.epochs {
        let heard = track.target.epochs[index].heard
        // Readings begin where those of the epoch before end.
        let start = index > 0 ? track.target.epochs[index - 1].heard.instant : heard.start
        guard !heard.readings.isEmpty, heard.instant > start else { continue }
        let seconds = Double(heard.instant - start) / 1e9
        for anchor in windows.indices {
          windows[anchor].append(ReceptionWindow(seconds: seconds, levels: []))
        }
        for reading in heard.readings {
          windows[reading.anchor][windows[reading.anchor].count - 1].levels +=
            repeatElement(reading.rssi, count: reading.packets)
        }
      }
    }
    return Anchor.Reception.learned(from: windows)
  }
}

extension Surroundings {
  /// Whether the same radio map is learned from both.
  func hasSameMap(as other: Surroundings) -> Bool {
    survey == other.survey && anchors == other.anchors
  }

  /// The radio map that is learned from the survey; nil without one.
  var learnedMap: RadioMap? {
    survey.isEmpty ? nil : RadioMap(survey: survey, anchors: anchors)
  }
}
