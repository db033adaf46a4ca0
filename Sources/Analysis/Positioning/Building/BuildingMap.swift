import Geometry
import RealModule
import Support

/// A map of a building: how often, and at which level, each anchor is received in each cell of each
/// floor, learned from a survey.
///
/// The places of the anchors are not needed. The level of an anchor on a floor is a Gaussian process
/// about a constant, with one ``LevelVariation`` for all; ``FloorRates`` are the rates of packets.
/// Both are held in a patch of cells around those in which the anchor was received on a floor;
/// elsewhere it has the least rate, and the level of any anchor.
package struct BuildingMap: Sendable {
  /// An anchor on a floor.
  struct Patch: Sendable {
    let area: CellPatch
    /// The mean of the level in dBm and its variance in dB², by cell.
    let means: [Float]
    let variances: [Float]
    /// The logarithms of the rates of packets per second.
    let logRates: [Float]
  }

  let cells: FloorCells
  let building: Building
  /// The variation of the levels about ``typicalLevel``.
  package let variation: LevelVariation
  /// The exponents of likelihoods and of claims.
  package var exponents = FloorExponents()
  /// The mean level of any anchor, in dBm.
  package let typicalLevel: Double
  /// The probability of each cell before anything is received.
  let prior: [Float]
  /// The rate of packets of all anchors in each cell, per second.
  let totalRates: [Float]
  /// The patches of each anchor.
  let patches: [[Patch]]

  /// The distance around the cells in which an anchor was received to which its patch extends, in
  /// metres: a kernel of ``FloorRates`` is small there, and the level is that of any anchor.
  private static let reach = 30.0
  /// The largest number of levels of an anchor on a floor in the regression, the numbers of levels
  /// and of anchors in the search for the variation, and the smallest number for a search.
  private static let (mostLevels, levelsOfSearch, anchorsOfSearch, fewest) = (256, 60, 40, 5)

  /// The prior of the variation: indoor surveys of beacons at unknown places (wide, because the path
  /// loss is a part of it).
  private static let belief = LevelVariation(
    spread: 6, length: 14, anchorOffset: 4, recordingOffset: 1, placeNoise: 4, packetNoise: 3.5)

  /// Learns a map, or returns `nil` if no place was surveyed.
  ///
  /// Cubic in the levels of an anchor on a floor, at most 256, and linear in the anchors; on all
  /// cores.
  ///
  /// - Parameter variation: The variation of the levels, if it was learned before.
  package init?(
    _ building: Building, survey: [SurveyPoint], anchors: Int, variation: LevelVariation? = nil
  ) {
    guard let cells = FloorCells(building, survey: survey) else { return nil }
    let surveyed = SurveyedFloors(survey, anchors: anchors, on: cells)
    let all = surveyed.heard.joined().map(\.heard.levels)
    let means = all.map { $0.reduce(0) { $0 + $1.residual } / Double($0.count) }
    let typical = means.isEmpty ? -80 : means.reduce(0, +) / Double(means.count)
    let variation = variation ?? Self.variation(all, about: typical)
    let rates = cells.lattices.map {
      FloorRates(seconds: surveyed.seconds, on: $0, side: cells.side)
    }
    let jobs = surveyed.heard.enumerated().flatMap { floor, heard in
      heard.map { (floor: floor, anchor: $0.anchor, heard: $0.heard) }
    }
    let learned = parallel(jobs.count) { number in
      let job = jobs[number]
      return Self.patch(
        job.heard, on: job.floor, of: cells, rates[job.floor], variation, about: typical)
    }
    var patches = [[Patch]](repeating: [], count: anchors)
    var totals = [Float](
      repeating: Float(Set(jobs.map(\.anchor)).count) * FloorRates.least, count: cells.count)
    for (job, patch) in zip(jobs, learned) {
      patches[job.anchor].append(patch)
      patch.area.forEachRow { first, row in
        for column in 0..<patch.area.columns {
          totals[first + column] +=
            Float.exp(patch.logRates[row * patch.area.columns + column]) - FloorRates.least
        }
      }
    }
    self.patches = patches
    (self.cells, self.building, self.variation) = (cells, building, variation)
    (typicalLevel, totalRates) = (typical, totals)
    prior = Self.prior(surveyed.seconds, on: cells)
  }

  private static func variation(
    _ levels: [[SurveyedLevel]], about typical: Double
  ) -> LevelVariation {
    let chosen = levels.filter { $0.count >= fewest }.sampled(anchorsOfSearch)
      .map { $0.sampled(levelsOfSearch).map { $0.minus(typical) } }
    guard !chosen.isEmpty else { return belief }
    return VariationEvidence(levels: chosen).mostLikely(.matern, belief).variation
  }

  private static func patch(
    _ heard: SurveyedFloors.Heard, on floor: Int, of cells: FloorCells, _ rates: FloorRates,
    _ variation: LevelVariation, about typical: Double
  ) -> Patch {
    let margin = Int((reach / cells.side).rounded(.up))
    let area = CellPatch(
      around: heard.packets.map(\.cell), margin: margin, of: cells.lattices[floor])
    let levels = heard.levels.map { $0.minus(typical) }.thinned(to: mostLevels)
    let field = ResidualField(levels, variation)
    let unknown = Float(BuildingMap.unknownVariance(variation))
    var (means, variances) = (
      [Float](repeating: Float(typical), count: area.count),
      [Float](repeating: unknown, count: area.count)
    )
    area.forEachRow { first, row in
      for column in 0..<area.columns where cells.isOpen[first + column] > 0 {
        guard
          let (mean, variance) = field?.prediction(
            at: cells.centre(of: first + column, on: floor))
        else { continue }
        means[row * area.columns + column] = Float(typical + mean)
        variances[row * area.columns + column] = Float(variance)
      }
    }
    return Patch(
      area: area, means: means, variances: variances,
      logRates: rates.rates(heard.packets, in: area).map { Float.log($0) })
  }

  /// Returns the variance of a level that the survey does not explain, in dB².
  static func unknownVariance(_ variation: LevelVariation) -> Double {
    variation.spread * variation.spread + variation.anchorOffset * variation.anchorOffset
  }

  /// Returns the variance of a window's mean level about the map, in dB².
  func noise(packets: Double) -> Double {
    variation.noiseOfPlaces + variation.packetNoise * variation.packetNoise / packets
  }

  /// Returns the probability of each cell: that people are where the surveyor was, to 85 %, and
  /// anywhere otherwise; all floors alike.
  private static func prior(_ seconds: [Float], on cells: FloorCells) -> [Float] {
    var prior = [Float](repeating: 0, count: cells.count)
    let floors = Float(cells.lattices.count { $0.cells.contains { cells.isOpen[$0] > 0 } })
    for lattice in cells.lattices {
      let open = lattice.cells.filter { cells.isOpen[$0] > 0 }
      guard !open.isEmpty else { continue }
      let near = FloorRates.density(of: seconds, deviation: 4, on: lattice, side: cells.side)
      let far = FloorRates.density(of: seconds, deviation: 12, on: lattice, side: cells.side)
      let (nearSum, farSum) = open.reduce((Float(0), Float(0))) {
        ($0.0 + near[$1 - lattice.first], $0.1 + far[$1 - lattice.first])
      }
      for cell in open {
        let index = cell - lattice.first
        let visited =
          nearSum > 0 && farSum > 0
          ? 0.5 * (near[index] / nearSum + far[index] / farSum) : 1 / Float(open.count)
        prior[cell] = (0.85 * visited + 0.15 / Float(open.count)) / floors
      }
    }
    return prior
  }
}

extension BuildingMap {
  /// Learns a map with the exponents that suit the survey; `nil` if no place was surveyed.
  ///
  /// - Parameters:
  ///   - variation: The variation of the levels, if it was learned before.
  ///   - exponents: The exponents, if they were learned before.
  package static func learned(
    _ building: Building, survey: [SurveyPoint], anchors: Int, variation: LevelVariation? = nil,
    exponents: FloorExponents? = nil
  ) -> BuildingMap? {
    guard var map = BuildingMap(building, survey: survey, anchors: anchors, variation: variation)
    else { return nil }
    map.exponents =
      exponents
      ?? FloorExponents(learnedIn: building, survey, anchors: anchors, map.variation)
    return map
  }

  /// The levels of one anchor in a window of time.
  struct Received {
    var anchor: Int
    /// The mean level, in dBm.
    var rssi: Double
    var packets: Double
  }

  /// Returns the logarithm of the likelihood of what was received in a window, in each cell.
  ///
  /// With k = √n for the n packets of anchor b with mean level r, the time T and the rates λ,
  ///
  ///     β_c (Σ k ln λ_b - (1 + Σ k) ln(1 + T Σ λ)) + β_r Σ ln N(r; m_b, v_b + noise)
  ///
  /// The first part is that of a Poisson process whose gain, common to all anchors, has a gamma
  /// distribution and is integrated out: devices and pockets differ in what they receive. Silence
  /// counts by the total rate. Packets of one anchor are received and lost together, hence their
  /// square root.
  ///
  /// - Parameters:
  ///   - seconds: The duration T of the window.
  ///   - weights: The exponents β_c of reception and β_r of levels.
  func logLikelihood(
    of received: [Received], seconds: Double, weights: (reception: Float, levels: Float)
  ) -> [Float] {
    let known = received.filter { patches.indices.contains($0.anchor) }
    let sum = Float(known.reduce(0) { $0 + $1.packets.squareRoot() })
    let time = Float(seconds)
    var values = totalRates.map { -weights.reception * (1 + sum) * Float.log(1 + time * $0) }
    let leastRate = Float.log(FloorRates.least)
    for one in known {
      let count = weights.reception * Float(one.packets.squareRoot())
      let level = Float(one.rssi)
      let noise = Float(noise(packets: one.packets))
      func fit(_ mean: Float, _ variance: Float) -> Float {
        let error = level - mean
        return -0.5 * weights.levels
          * (error * error / (variance + noise) + Float.log(variance + noise))
      }
      let elsewhere =
        count * leastRate + fit(Float(typicalLevel), Float(Self.unknownVariance(variation)))
      // Only differences between cells matter.
      for patch in patches[one.anchor] {
        patch.area.forEachRow { first, row in
          for column in 0..<patch.area.columns {
            let index = row * patch.area.columns + column
            values[first + column] +=
              count * patch.logRates[index] + fit(patch.means[index], patch.variances[index])
              - elsewhere
          }
        }
      }
    }
    return values
  }

  /// Returns the answer to a scan from its own levels: the mean on the most probable floor of all
  /// places, weighted by their likelihood.
  ///
  /// The errors of levels within a window are not independent: the exponents of the likelihood fall
  /// with its duration.
  func answer(_ scan: Scan) -> Outcome {
    FloorBelief.outcome(belief(scan), exponents.window, on: self)
  }

  /// Returns the weight of each cell by the levels of a scan alone.
  func belief(_ scan: Scan) -> [Float] {
    let seconds = max(Double(scan.instant - scan.start) * 1e-9, 0.1)
    let exponent = 0.8 * Float.pow(Float(min(1, 2 / seconds)), 0.34)
    let received = scan.observations.map {
      Received(anchor: $0.number, rssi: $0.rssi, packets: Double($0.packets))
    }.joined
    let values = logLikelihood(
      of: received, seconds: seconds, weights: (reception: exponent, levels: exponent))
    var largest = -Float.infinity
    for cell in values.indices where prior[cell] > 0 { largest = max(largest, values[cell]) }
    return values.indices.map { prior[$0] * Float.exp(values[$0] - largest) }
  }
}

extension SurveyedLevel {
  /// Returns the level relative to a level in dBm.
  fileprivate func minus(_ level: Double) -> SurveyedLevel {
    var relative = self
    relative.residual -= level
    return relative
  }
}
