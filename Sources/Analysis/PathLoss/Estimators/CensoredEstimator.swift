import NumericalMethods
import RealModule

/// Maximum likelihood for samples without the packets too weak for the receiver, with the
/// likelihood of ``ReceptionLikelihood``.
///
/// The edge of reception is estimated unless it is given. It is left out if it raises the
/// log-likelihood by less than 2 (Akaike's criterion for two parameters); it is hard if the scale
/// vanishes, and then at the weakest level of each receiver; the offsets of positions and the lost
/// share are left out where they vanish.
struct CensoredEstimator: LinearEstimator {
  enum Missing: Equatable {
    /// The number of missed packets is unknown.
    case unknown
    /// The number of missed packets is known; `lostShare` of all packets is lost independently of
    /// the level, and is estimated if `nil`.
    case known(lostShare: Double?)
  }

  var missing: Missing
  /// The level of half reception, in dBm; `nil` to estimate it.
  var edge: Double?
  /// The scale of the edge, in dB, 0 if it is hard; `nil` to estimate it.
  var scale: Double?

  func fit(_ observations: Observations) throws(NotFitted) -> LinearFit {
    let start = try LeastSquaresEstimator().fit(observations)
    guard observations.samples > Double(observations.parameters + 1) else {
      throw .reason("too few samples for \(observations.parameters + 1) parameters")
    }
    var form = form(observations)
    var first = form.given
    first.coefficients = start.coefficients
    first.place = 0.5 * max(start.sigma, 0.3)
    first.logDeviation = Double.log(max(0.8 * start.sigma, 0.3))
    if form.estimatesLost {
      let missed = observations.missing.reduce(0, +)
      first.logit = Double.log((observations.samples + 1) / (missed + 1))
    }
    let asked = form.edge
    guard case .soft(let level, let scale) = asked else {
      return try simplest(form, first, observations).fit
    }
    form.edge = .none
    let plain = try simplest(form, first, observations)
    form.edge = asked
    var best: Candidate?
    var last = plain
    for (share, width) in [(0.05, 1.5), (0.02, 3.0), (0.2, 1.5)] {
      var begin = first
      if level == .estimated { begin.edge = observations.quantile(share) }
      if scale == .estimated { begin.scale = width }
      if form.estimatesLost { begin.logit = max(first.logit + 1, 1) }
      guard let found = try? simplest(form, begin, observations) else { continue }
      last = found
      guard found.fit.hasConverged else { continue }
      if best.map({ found.value > $0.value + 1e-6 }) ?? true { best = found }
      if level == .given { break }
    }
    // A given edge is not replaced by none: the fit says that it did not converge.
    guard let chosen = best else { return level == .given ? last.fit : plain.fit }
    return chosen.value > plain.value + 2 || level == .given ? chosen.fit : plain.fit
  }

  /// The form with everything that is not given.
  private func form(_ observations: Observations) -> ReceptionForm {
    var form = ReceptionForm(
      countsMissed: missing != .unknown,
      edge: .soft(
        level: edge == nil ? .estimated : .given, scale: scale == nil ? .estimated : .given),
      placesDiffer: observations.samples > Double(observations.heardClusters),
      estimatesLost: missing == .known(lostShare: nil))
    if scale == 0 { form.edge = .hard }
    if let scale { form.given.scale = scale }
    if case .known(let share?) = missing { form.given.logit = Double.log((1 - share) / share) }
    return form
  }

  private struct Candidate {
    var form: ReceptionForm
    var parameters: ReceptionParameters
    var fit: LinearFit
    var value: Double
  }

  /// Returns the maximum without the parameters that vanish there, at which errors would be
  /// undefined.
  private func simplest(
    _ form: ReceptionForm, _ first: ReceptionParameters, _ observations: Observations
  ) throws(NotFitted) -> Candidate {
    var found = try maximise(form, first, observations)
    var simpler = found.form.simpler(at: found.parameters)
    if simpler.edge == .hard { simpler.edge = found.form.edge }
    if simpler != found.form {
      let other = try maximise(simpler, found.parameters, observations)
      if other.fit.hasConverged { found = other }
    }
    if found.form.edge != .hard, found.form.simpler(at: found.parameters).edge == .hard,
      observations.areAboveEdges
    {
      var hard = found.form
      hard.edge = .hard
      let other = try simplest(hard, found.parameters, observations)
      if other.fit.hasConverged, other.value > found.value - 2 { found = other }
    }
    return found
  }

  private func maximise(
    _ form: ReceptionForm, _ first: ReceptionParameters, _ observations: Observations
  ) throws(NotFitted) -> Candidate {
    var likelihood = ReceptionLikelihood(observations, form)
    let columns = observations.parameters
    let levels = observations.levelRange
    let search = NewtonMaximum(
      from: form.place(first), longest: 2,
      isLost: { form.vanishes(form.parameters($0, columns: columns), levels: levels) },
      of: { likelihood.evaluate($0) })
    guard search.value.isFinite, search.place.allSatisfy(\.isFinite) else { throw .undetermined }
    let place = search.place
    let parameters = form.parameters(place, columns: columns)
    let packet = (Double.exp(2 * parameters.logDeviation) + observations.roundingVariance)
    let between = form.placesDiffer ? parameters.place * parameters.place : 0
    var fit = LinearFit(
      coefficients: parameters.coefficients, sigma: (packet + between).squareRoot(),
      positions: likelihood.positions(place), hasConverged: search.hasConverged,
      iterations: search.steps, logLikelihood: search.value,
      lostShare: form.countsMissed ? 1 - parameters.received : nil)
    fit.reception = LinearFit.Reception(
      edge: form.edge, level: parameters.edge, scale: form.edge == .hard ? 0 : parameters.scale,
      positionDeviation: between.squareRoot(), packetDeviation: packet.squareRoot())
    return Candidate(form: form, parameters: parameters, fit: fit, value: search.value)
  }
}

extension Observations {
  /// The range of the received levels, in dBm.
  fileprivate var levelRange: ClosedRange<Double> { (level.min() ?? 0)...(level.max() ?? 0) }

  /// A Boolean value that is true if no level is below the edge of its receiver.
  fileprivate var areAboveEdges: Bool {
    (0..<stations).allSatisfy { station in
      (first[station]..<first[station + 1]).allSatisfy { level[$0] >= sensitivity[station] }
    }
  }
}
