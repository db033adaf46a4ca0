import NumericalMethods

/// Offsets of channels, estimated together with the constants of a path-loss model by least squares
/// of single readings.
///
/// The errors are clustered by position (`ClusteredCovariance`): channels fade apart from each
/// other at each place, so that a thousand packets of a place are one observation of its offsets.
package struct ChannelOffsetFit {
  package private(set) var offsets: [ChannelOffset] = []
  /// Why there are no offsets, or whose there are not.
  package private(set) var diagnostics: [Diagnostic] = []

  /// The code of the diagnostic why there are no offsets.
  package static let refusal = "no-channel-offsets"

  /// Readings on a channel below which nothing is stated of it.
  static let fewest = 10
  /// Coefficients at most: time and memory grow with their square.
  static let most = 64

  /// - Parameters:
  ///   - model: whose linear part is fitted beside the offsets; of two slopes and of curves that is
  ///     log-distance.
  ///   - stations: of one group, with the levels that were heard.
  package init(_ scope: ChannelOffsetScope, _ model: PathLossModel, _ stations: [Station]) {
    guard scope != .none else { return }
    let heard = HeardChannels(stations)
    let channels = heard.channels(least: Self.fewest)
    guard channels.count > 1 else {
      refuse(heard.refusal(of: channels))
      return
    }
    let receivers = scope == .beacon ? [] : heard.receivers(on: channels, least: Self.fewest)
    let beacons = scope == .receiver ? [] : heard.beacons(on: channels, least: Self.fewest)
    let contrasts = ChannelContrasts(channels: channels, receivers: receivers, beacons: beacons)
    guard contrasts.count > 0 else {
      refuse(
        "no \(scope == .beacon ? "beacon" : "receiver") has \(Self.fewest) readings on each of the "
          + "channels \(channels.map(String.init).joined(separator: ", "))")
      return
    }
    guard contrasts.count <= Self.most else {
      refuse(
        "the offsets of \(contrasts.receivers.count + contrasts.beacons.count) devices are more than "
          + "one fit finds: fit each receiver or beacon by itself, or leave some out")
      return
    }
    noteLeftOut(
      (scope == .beacon ? [] : heard.receivers.filter { !receivers.contains($0) })
        + (scope == .receiver ? [] : heard.beacons.filter { !beacons.contains($0) }))
    fit(contrasts, model, stations, heard)
  }

  private mutating func refuse(_ reason: String) {
    diagnostics.append(
      Diagnostic(Self.refusal, "offsets of channels are not estimated: \(reason)"))
  }

  private mutating func noteLeftOut(_ silent: [String]) {
    guard !silent.isEmpty else { return }
    let names = silent.prefix(3).joined(separator: ", ") + (silent.count > 3 ? ", …" : "")
    diagnostics.append(
      Diagnostic(
        "channel-offsets-left-out",
        "\(silent.count) device\(silent.count == 1 ? " has" : "s have") no offsets of channels, for "
          + "want of \(Self.fewest) readings on each: \(names)",
        value: Double(silent.count)))
  }

  private mutating func fit(
    _ contrasts: ChannelContrasts, _ model: PathLossModel, _ stations: [Station],
    _ heard: HeardChannels
  ) {
    let parts = stations.sorted(by: Station.precedes).flatMap(\.byChannel)
    let hasSlope = Set(parts.map(\.distance)).count > 1
    var design = Design(hasSlope ? model : .fixedExponent(0), parts)
    let first = design.parameters
    design.add(
      parts.map {
        contrasts.combination(
          beacon: $0.beacon, receiver: $0.receiver, channel: $0.levels[0].channel)
      }, of: .channel)
    let observations = design.observations(parts)
    guard let linear = try? LeastSquaresEstimator().fit(observations) else {
      return refuse(
        "the readings do not tell them apart from distances, or receivers from beacons: choose the "
          + "offsets of receivers or of beacons, or record on all channels at all places")
    }
    let covariance =
      observations.clusterCount > observations.parameters
      ? ClusteredCovariance(
        linear.positions,
        ratio: linear.ratio(
          Residuals(parts, observations, coefficients: linear.coefficients).components,
          observations), sharesInAdjustment: true) : nil
    if covariance == nil {
      diagnostics.append(
        Diagnostic(
          "channel-offsets-without-errors",
          "\(observations.clusterCount) position\(observations.clusterCount == 1 ? "" : "s") only: no "
            + "standard errors of the offsets of channels; record at "
            + "\(observations.parameters + 1) or more",
          value: Double(observations.clusterCount)))
    }
    func append(_ offset: ChannelOffset) {
      // Centring changes the coefficient of the first column only.
      let combination =
        [Double](repeating: 0, count: first)
        + contrasts.combination(
          beacon: offset.beacon, receiver: offset.receiver, channel: offset.channel)
      var offset = offset
      offset.offset = dot(combination, linear.coefficients)
      offset.samples = heard.count(of: offset)
      if let covariance {
        let error = covariance.covariance.form(combination).squareRoot()
        let freedom = covariance.degreesOfFreedom(of: combination)
        let half = StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975) * error
        if half.isFinite {
          offset.standardError = error
          offset.interval = Interval(
            lower: offset.offset - half, upper: offset.offset + half)
        }
      }
      offsets.append(offset)
    }
    for channel in contrasts.channels {
      for receiver in contrasts.receivers {
        append(ChannelOffset(receiver: receiver, channel: channel, offset: 0))
      }
      for beacon in contrasts.beacons {
        append(ChannelOffset(beacon: beacon, channel: channel, offset: 0))
      }
    }
    offsets.sort { ($0.receiver ?? "", $0.beacon ?? "") < ($1.receiver ?? "", $1.beacon ?? "") }
  }
}

extension Station {
  /// The station once for each channel, with the readings of that channel.
  fileprivate var byChannel: [Station] {
    Set(levels.map(\.channel)).sorted().map { channel in
      var part = self
      part.levels = levels.filter { $0.channel == channel }
      return part
    }
  }
}

/// How offsets of channels are written by coefficients that nothing constrains.
///
/// The offsets of a receiver, or of a beacon, sum to 0 over the channels. Where both have offsets,
/// those of the beacons also sum to 0 over the beacons on each channel, for what all of them have
/// in common is the receivers'. Without this, the offsets were not determined.
struct ChannelContrasts {
  let channels: [UInt8]
  let receivers: [String]
  let beacons: [String]
  private let receiverNumbers: [String: Int]
  private let beaconNumbers: [String: Int]
  /// A Boolean value that is true if beacons are measured from their mean.
  private let isRelative: Bool

  init(channels: [UInt8], receivers: [String], beacons: [String]) {
    (self.channels, self.receivers) = (channels, receivers)
    // One beacon alone is its own mean.
    self.beacons = receivers.isEmpty || beacons.count > 1 ? beacons : []
    receiverNumbers = numbers(receivers)
    beaconNumbers = numbers(self.beacons)
    isRelative = !receivers.isEmpty
  }

  /// Coefficients of one device.
  private var width: Int { channels.count - 1 }
  /// Devices with coefficients of their own.
  private var beaconBlocks: Int { isRelative ? max(0, beacons.count - 1) : beacons.count }
  /// Coefficients.
  var count: Int { width * (receivers.count + beaconBlocks) }

  /// An offset of a link as a combination of the coefficients.
  func combination(beacon: String?, receiver: String?, channel: UInt8) -> [Double] {
    var row = [Double](repeating: 0, count: count)
    guard let place = channels.firstIndex(of: channel) else { return row }
    func add(_ block: Int, _ sign: Double) {
      if place < width {
        row[block * width + place] += sign
      } else {
        for one in 0..<width { row[block * width + one] -= sign }
      }
    }
    if let number = receiver.flatMap({ receiverNumbers[$0] }) { add(number, 1) }
    if let number = beacon.flatMap({ beaconNumbers[$0] }) {
      if number < beaconBlocks {
        add(receivers.count + number, 1)
      } else {
        for block in 0..<beaconBlocks { add(receivers.count + block, -1) }
      }
    }
    return row
  }
}

/// How many readings each receiver and each beacon has on each channel of advertising.
struct HeardChannels {
  private var byReceiver: [String: [UInt8: Int]] = [:]
  private var byBeacon: [String: [UInt8: Int]] = [:]
  private var all: [UInt8: Int] = [:]

  init(_ stations: [Station]) {
    for station in stations {
      for one in station.levels {
        byReceiver[station.receiver, default: [:]][one.channel, default: 0] += one.count
        byBeacon[station.beacon, default: [:]][one.channel, default: 0] += one.count
        all[one.channel, default: 0] += one.count
      }
    }
  }

  var receivers: [String] { byReceiver.keys.sorted() }
  var beacons: [String] { byBeacon.keys.sorted() }

  /// The channels with a number of readings.
  func channels(least: Int) -> [UInt8] {
    ChannelOffset.channels.filter { all[$0] ?? 0 >= least }
  }

  /// The receivers with a number of readings on each of some channels.
  func receivers(on channels: [UInt8], least: Int) -> [String] {
    receivers.filter { name in channels.allSatisfy { byReceiver[name]?[$0] ?? 0 >= least } }
  }

  func beacons(on channels: [UInt8], least: Int) -> [String] {
    beacons.filter { name in channels.allSatisfy { byBeacon[name]?[$0] ?? 0 >= least } }
  }

  /// Readings on the channel of an offset.
  func count(of offset: ChannelOffset) -> Int {
    (offset.receiver.flatMap { byReceiver[$0] } ?? offset.beacon.flatMap { byBeacon[$0] })?[
      offset.channel] ?? 0
  }

  /// Why there are no offsets where fewer than two channels have enough readings.
  func refusal(of channels: [UInt8]) -> String {
    let stated = ChannelOffset.channels.filter { all[$0] != nil }
    switch (stated.count, channels.count) {
    case (0, _): return "no reading states an advertising channel; levels are used as they are"
    case (1, _): return "all readings with a channel are of channel \(stated[0])"
    default: return "fewer than two channels have \(ChannelOffsetFit.fewest) readings"
    }
  }
}
