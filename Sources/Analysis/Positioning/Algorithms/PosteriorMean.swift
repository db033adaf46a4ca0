import Geometry
import RealModule
package import Support

/// The mean of all places in the site's rooms, weighted by their likelihood (`posterior-mean`, and
/// `gaussian-process` with a learned map).
///
/// The prior is uniform over the rooms, or over the bounds if there are no rooms. The likelihood of
/// a level is that of ``MaximumLikelihood``, truncated for outliers; the silence of anchors with
/// known reception contributes too. Summing the posterior over the cells of a grid covers all its
/// modes, and its mean minimises the expected squared error. The covariance is that of the
/// posterior. One anchor suffices. Linear in anchors × cells.
public struct PosteriorMean: PositioningAlgorithm {
  static let kind = AlgorithmKind(
    "posterior-mean", "the mean of all places, weighted by the likelihood of the levels",
    [.map, .mapOffset, .silence, .cutoff]
  ) { PosteriorMean($0) }

  static let gaussianProcessKind = AlgorithmKind(
    "gaussian-process",
    "posterior-mean on the levels that a Gaussian process learned from the survey",
    [.mapOffset, .silence, .cutoff], needsSurvey: true
  ) { PosteriorMean("gaussian-process", usesMap: true, $0) }

  public let name: String
  /// A Boolean value that is true if expected levels come from the radio map; without one, the
  /// algorithm refuses.
  public var usesMap: Bool
  /// A Boolean value that is true if the silence of anchors with known reception is evidence.
  public var usesSilence: Bool
  /// The number of standard deviations to which larger errors are clipped.
  public var cutoff: Double
  /// The standard deviation of the error common to all levels, in dB; `nil` takes that of the radio
  /// map, and 0 without one.
  public var offset: Double?
  /// The shortest side of the grid's cells, in metres; 0 for as fine as the site allows.
  var smallestCell = 0.0

  /// Creates the algorithm with the defaults of its parameters.
  public init() { self.init(Self.kind.defaults) }

  /// Creates `gaussian-process` with the defaults of its parameters, on a coarser grid.
  init(onMapWithCells smallestCell: Double) {
    self.init(
      Self.gaussianProcessKind.name, usesMap: true, Self.gaussianProcessKind.defaults)
    self.smallestCell = smallestCell
  }

  package init(_ values: ParameterValues) {
    self.init(Self.kind.name, usesMap: values.flag("map"), values)
  }

  private init(_ name: String, usesMap: Bool, _ values: ParameterValues) {
    (self.name, self.usesMap) = (name, usesMap)
    (usesSilence, cutoff) = (values.flag("silence"), values.number("cutoff"))
    offset = values.optional("offset")
  }

  public var usesBuildingMap: Bool { usesMap }

  public func track(in surroundings: Surroundings) -> (any LiveTrack)? {
    IndependentTrack(self, in: surroundings)
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    if usesMap, surroundings.building != nil {
      return scans.map { surroundings.buildingMap?.answer($0) ?? .refused(.noSurvey) }
    }
    // On a known site all scans share the tables; otherwise each question has its own site.
    let isKnown = surroundings.searchBounds != nil
    let common = usesMap ? surroundings.radioMap?.commonVariance ?? 0 : 0
    let nodes = OffsetNodes(deviation: offset ?? common.squareRoot())
    var shared: GridLevels?
    return scans.map { scan in
      let observations = scan.observations
      guard observations.allSatisfy(\.isValid) else { return .refused(.invalidRange) }
      guard !observations.isEmpty else { return .refused(.tooFewAnchors) }
      if usesMap, surroundings.radioMap == nil { return .refused(.noSurvey) }
      if shared == nil || !isKnown {
        shared = tables(
          for: observations, in: surroundings, commonVariance: offset == 0 ? 0 : common)
      }
      guard shared != nil else { return .refused(.invalidRange) }
      let seconds = Double(scan.instant - scan.start) * 1e-9
      guard
        let estimate = estimate(
          observations, seconds: seconds, in: surroundings, offsets: nodes, tables: &shared!)
      else { return .refused(.notConverged) }
      return .located(estimate)
    }
  }

  private func tables(
    for observations: [Observation], in surroundings: Surroundings, commonVariance: Double
  ) -> GridLevels? {
    guard let bounds = surroundings.gridBounds(for: observations),
      let grid = Grid(
        bounds, heights: surroundings.gridHeights(for: observations), rooms: surroundings.rooms,
        smallestCell: smallestCell)
    else { return nil }
    return GridLevels(
      grid: grid, anchors: surroundings.anchors, map: usesMap ? surroundings.radioMap : nil,
      commonVariance: commonVariance)
  }

  private func estimate(
    _ observations: [Observation], seconds: Double, in surroundings: Surroundings,
    offsets: OffsetNodes, tables: inout GridLevels
  ) -> Estimate? {
    let none = [Float](repeating: 0, count: tables.grid.count)
    var costsAtOffsets = [[Float]](repeating: none, count: offsets.all.count)
    let halfLimit = Float(cutoff * cutoff / 2)
    for observation in observations {
      let table = tables.table(tables.number(of: observation))
      // A table holds single packets, unless the correlation of packets is known.
      let weight =
        table.commonShare.map {
          LevelIndependence(speed: 0).worth(
            after: nil, packets: observation.packets, commonShare: $0)
        } ?? 1
      let logRange = Double.log(observation.slantRange)
      let perDecibel = Double.log(10) / (10 * observation.exponent)
      for (index, node) in offsets.all.enumerated() {
        table.add(
          logRange: Float(logRange + node.offset * perDecibel), weight: Float(weight),
          halfLimit: halfLimit, to: &costsAtOffsets[index])
      }
    }
    var costs = offsets.sum(costsAtOffsets)
    if usesSilence,
      let evidence = ReceptionEvidence(surroundings.radioMap, usesMap: usesMap)
    {
      tables.addReceptions(
        observations.map { ($0.number, Double($0.packets)) }, evidence, to: &costs)
    } else if usesSilence {
      let heard = Set(observations.map(\.number))
      for (number, anchor) in surroundings.anchors.enumerated() where !heard.contains(number) {
        guard let reception = anchor.audibleReception else { continue }
        tables.table(number).addSilence(
          lost: Float(Double.exp(-reception.rate * seconds)), weight: 1, halfLimit: halfLimit,
          to: &costs)
      }
    }
    var weights = [CellWeights(flatOn: tables.grid)]
    weights.multiply(byExpOfMinus: costs)
    var estimate = weights.estimate(on: tables.grid)
    if usesMap, let map = surroundings.radioMap, let covariance = estimate?.uncertainty.covariance {
      estimate?.uncertainty = .covariance(map.dispersion * covariance)
    }
    return estimate
  }
}

extension Anchor {
  /// The reception, if its values and the anchor's constants are plausible.
  var audibleReception: Reception? {
    guard let reception, reception.rate > 0, reception.rate.isFinite,
      reception.sensitivity.isFinite,
      Observation(self, number: 0, rssi: measuredPower).isValid
    else { return nil }
    return reception
  }
}

/// Quadrature nodes for an error common to all levels, by which it is marginalised.
///
/// Normal with mean 0, in steps of half a standard deviation up to 2.5: accurate to a thousandth
/// after the levels of a few anchors.
struct OffsetNodes {
  /// The offsets in dB, each with half its squared standard score.
  let all: [(offset: Double, cost: Float)]

  /// - Parameter deviation: The standard deviation in dB; 0 for no common error.
  init(deviation: Double) {
    all =
      deviation > 0
      ? (-5...5).map {
        let score = Double($0) / 2
        return (score * deviation, Float(score * score / 2))
      } : [(0, 0)]
  }

  /// Returns the costs marginalised over all nodes: -ln Σ exp(-cost).
  func sum(_ costs: [[Float]]) -> [Float] {
    guard costs.count > 1 else { return costs[0] }
    return costs[0].indices.map { cell in
      var least = Float.infinity
      for index in costs.indices { least = min(least, costs[index][cell] + all[index].cost) }
      guard least.isFinite else { return least }
      var total: Float = 0
      for index in costs.indices {
        total += Float.exp(least - costs[index][cell] - all[index].cost)
      }
      return least - Float.log(total)
    }
  }
}
