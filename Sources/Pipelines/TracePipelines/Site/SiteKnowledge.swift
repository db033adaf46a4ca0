import Evaluation
import Geometry
import PathLoss
package import Positioning
package import Sightings
package import Support

/// The knowledge to locate nodes at a site: its plan, the places of its anchors, the constants of
/// their links, and the levels at surveyed places.
package struct SiteKnowledge {
  package let plan: SitePlan
  package let anchors: SiteAnchors
  /// The constants of links; nil in a building whose anchors have no known places.
  package let constants: LinkConstants?
  package let survey: SurveyedSite

  package init(
    _ plan: SitePlan, anchors: SiteAnchors, constants: LinkConstants?, survey: SurveyedSite
  ) {
    self.plan = plan
    self.anchors = anchors
    self.constants = constants
    self.survey = survey
  }

  package init(
    _ plan: SitePlan, anchors: SiteAnchors, constants: LinkConstants?, survey: [SurveyTrack] = []
  ) {
    self.init(
      plan, anchors: anchors, constants: constants,
      survey: SurveyedSite(survey, among: anchors, isInBuilding: plan.building != nil))
  }

  /// Returns the knowledge to locate a node in a trace, without the radio map.
  ///
  /// - Parameter height: the height of the node in the plane, metres above the site's zero of
  ///   heights; nil = not known: the median height of the survey or, if the survey has none, of the
  ///   node's anchors, which the survey's places have too.
  package func surroundings(
    of node: String, _ role: NodeRole, in trace: String, height: Double?
  ) throws(RSSIError) -> Surroundings {
    var known = plan.surroundings
    // In the plane, heights count from the target's.
    let knownHeight = plan.dimensions == .space ? 0 : height ?? survey.height(role)
    let anchors = anchors.locating(role)
    let reference =
      knownHeight ?? SortedSample(anchors.map(\.z).filter(\.isFinite)).quantile(0.5)
    var links: [PathLossConstants] = []
    for (number, anchor) in anchors.enumerated() {
      let (beacon, receiver) = role == .receiver ? (anchor.id, node) : (node, anchor.id)
      guard
        let link = try constants?.constants(beacon: beacon, receiver: receiver, trace: trace)
      else {
        known.anchors.append(.unknown)
        known.anchors[number].floor = anchor.floor.map(Int.init)
        continue
      }
      links.append(link)
      let above = reference.map { anchor.z - $0 } ?? 0
      known.anchors.append(
        Anchor(
          place: Point(x: anchor.x, y: anchor.y), heightDifference: above.isFinite ? above : 0,
          measuredPower: link.measuredPower, exponent: link.exponent, sigma: link.sigma,
          packetSigma: link.packetSigma,
          reception: survey.reception(ofAnchor: number, role)))
      known.anchors[number].floor = anchor.floor.map(Int.init)
    }
    if let shared = links.first, links.allSatisfy({ $0 == shared }) {
      known.curveError = shared.curveCovariance.map {
        CurveError(
          powerVariance: $0.measuredPower, exponentVariance: $0.exponent, covariance: $0.cross)
      }
    }
    known.survey = survey.points(role, reference: knownHeight)
    if let learned = survey.learned {
      try learned.requireSame(role, known, height: knownHeight, names: anchors.map(\.id))
      (known.variation, known.exponents) = (learned.variation, learned.exponents)
    }
    return known
  }
}

extension Surroundings {
  /// Returns whether both give the same radio map.
  func hasSameMap(as other: Surroundings) -> Bool {
    survey == other.survey && anchors == other.anchors && variation == other.variation
      && exponents == other.exponents
  }

  /// The radio map of the plane or the map of the building that is learned from the survey; nil
  /// without one.
  var learnedMaps: (plane: RadioMap?, building: BuildingMap?) {
    guard !survey.isEmpty else { return (nil, nil) }
    guard let building else {
      return (RadioMap(survey: survey, anchors: anchors, variation: variation), nil)
    }
    return (
      nil,
      .learned(
        building, survey: survey, anchors: anchors.count, variation: variation,
        exponents: exponents)
    )
  }
}

extension PositioningAlgorithm {
  /// Returns the answers in the plane, or on the floors of a building, which are planes.
  func locate(_ scans: [Scan], on known: Surroundings) -> [Outcome] {
    guard known.building == nil || known.dimensions == .plane else {
      return scans.map { _ in .refused(.wrongDimensions) }
    }
    return known.building == nil || usesBuildingMap
      ? locate(scans, in: known) : FloorChoice(self).locate(scans, in: known)
  }
}
