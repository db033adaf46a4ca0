import Filtering
import Sightings
import Support
import TraceStore

/// A beacon at a receiver, in any trace.
public struct LinkKey: Hashable, Sendable {
  /// The row of the beacon in the catalogue.
  public let beacon: UInt32
  /// The row of the receiver in the catalogue.
  public let receiver: UInt16
}

/// The noise of each link for filters, estimated from levels if it is not given.
struct LinkNoise: Sendable {
  /// The noise of one model for one link.
  struct Estimate: Sendable {
    var noise: Noise
    var origin: NoiseOrigin
    /// The uncertainty of a random walk that was estimated from the link itself, if required.
    var uncertainty: NoiseUncertainty?
  }

  /// Notes for the user about the estimates.
  private(set) var notes: [String] = []
  private var estimates: [NoiseModel: [LinkKey: Estimate]] = [:]

  /// The number of levels below which a link uses the estimate of all links.
  private static let fewest = 50

  /// Estimates the noise that filters need.
  ///
  /// - Parameters:
  ///   - filters: the filters of all chains.
  ///   - links: the levels of each link, in order of time.
  ///   - withUncertainty: true to compute the uncertainty of random walks.
  init(
    _ filters: [FilterSpecification], _ links: [LinkLevels], withUncertainty: Bool = false
  ) {
    for model in filters.compactMap(\.missingNoise) where estimates[model] == nil {
      estimate(model, links, withUncertainty)
    }
  }

  private mutating func estimate(
    _ model: NoiseModel, _ links: [LinkLevels], _ withUncertainty: Bool
  ) {
    let receptions = receptions(model, links)
    let origin = { (other: NoiseOrigin) in
      if case .missedSlots(let model) = model, model.noise != nil {
        NoiseOrigin.given
      } else {
        other
      }
    }
    var own: [LinkKey: Estimate] = [:]
    for link in links where link.count >= Self.fewest {
      if withUncertainty, model == .randomWalk,
        let (walk, uncertainty) = NoiseEstimate.withUncertainty(link.levels)
      {
        own[link.key] = Estimate(
          noise: Noise(q: walk.q, r: walk.r), origin: .link, uncertainty: uncertainty)
      } else if let noise = model.noise(of: link.levels, receptions[link.key.receiver]) {
        own[link.key] = Estimate(noise: noise, origin: origin(.link))
      }
    }
    estimates[model] = own
    guard own.count < links.count || links.isEmpty else { return }
    // Of a single receiver the links are those of its reception.
    let common = receptions.count == 1 ? receptions.values.first : nil
    if let noise = model.noise(of: links.flatMap(\.levels), common) {
      for link in links where own[link.key] == nil {
        var shared = noise
        shared.reception = receptions[link.key.receiver]
        estimates[model]?[link.key] = Estimate(noise: shared, origin: origin(.pooled))
      }
      note(
        "\(links.count - own.count) of \(links.count) links have fewer than \(Self.fewest) levels, "
          + "or levels that never change, and use the estimate of all links"
      )
    } else {
      let noise = model.walking
      note(
        "too few levels to estimate q and r: using \(plain(noise.q)) \(model.unit) and "
          + "\(plain(noise.r)) dB², those of a person walking"
      )
    }
  }

  /// Returns the reception of each receiver, from all of its links.
  private mutating func receptions(
    _ model: NoiseModel, _ links: [LinkLevels]
  ) -> [UInt16: Reception] {
    guard case .missedSlots(let model) = model else { return [:] }
    let receptions = Dictionary(grouping: links, by: \.key.receiver)
      .mapValues { model.reception(of: $0.flatMap(\.levels)) }
    let noFloor = receptions.values.count { $0.floorOrigin == .assumed }
    if noFloor > 0 {
      note(
        "\(noFloor) of \(counted(receptions.count, "receiver")) \(noFloor == 1 ? "shows" : "show") no "
          + "edge of reception: missed packets are not used there; give `floor`")
    }
    let noLoss = receptions.values.count { $0.lossOrigin == .assumed && $0.floorOrigin != .assumed }
    if noLoss > 0 {
      note(
        "\(noLoss) of \(counted(receptions.count, "receiver")) \(noLoss == 1 ? "has" : "have") too few "
          + "strong packets to estimate `loss`: using 0.3")
    }
    return receptions
  }

  /// Adds a note, once for all models with the same problem.
  private mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// Returns the noise of a link for a filter.
  func of(_ link: LinkKey, _ filter: FilterSpecification) -> Estimate {
    guard let model = filter.missingNoise else {
      let given = filter.writtenNoise
      return Estimate(noise: given ?? .walking, origin: given == nil ? .none : .given)
    }
    return estimates[model]?[link]
      ?? Estimate(noise: model.walking, origin: .assumed)
  }

  /// Returns the noise of a link for each filter of a chain.
  func of(_ link: LinkKey, _ chain: [FilterSpecification]) -> [Noise] {
    chain.map { of(link, $0).noise }
  }
}
