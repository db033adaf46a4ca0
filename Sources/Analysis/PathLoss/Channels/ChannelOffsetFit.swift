import NumericalMethods

/// A fit of channel offsets together with the constants of a path-loss model, by least squares of
/// single readings.
///
/// The errors are clustered by position (`ClusteredCovariance`): channels fade independently at
/// each place, so a thousand packets of a place are one observation of its offsets.
package struct ChannelOffsetFit {
  package private(set) var offsets: [ChannelOffset] = []
  /// The reasons for missing offsets.
  package private(set) var diagnostics: [Diagnostic] = []

  /// The code of the diagnostic that explains why there are no offsets.
  package static let refusal = "no-channel-offsets"

  /// The smallest number of readings on a channel for an estimate.
  static let fewest = 10
  /// The largest number of coefficients; time and memory grow with its square.
  static let most = 64

  /// - Parameters:
  ///   - model: The model whose linear part is fitted with the offsets; for two slopes and for
  ///     curves that is log-distance.
  ///   - stations: The stations of one group, with the received levels.
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
        "\(contrasts.receivers.count + contrasts.beacons.count) devices are too many for one fit: "
          + "fit each receiver or beacon separately, or exclude some")
      return
    }
    noteLeftOut(
      (scope == .beacon ? [] : heard.receivers.filter { !receivers.contains($0) })
        + (scope == .receiver ? [] : heard.beacons.filter { !beacons.contains($0) }))
    fit(contrasts, model, stations, heard)
  }

  private mutating func refuse(_ reason: String) {
    diagnostics.append(
      Diagnostic(Self.refusal, "channel offsets are not estimated: \(reason)"))
  }

  private mutating func noteLeftOut(_ silent: [String]) {
    guard !silent.isEmpty else { return }
    let names = silent.prefix(3).joined(separator: ", ") + (silent.count > 3 ? ", …" : "")
    diagnostics.append(
      Diagnostic(
        "channel-offsets-left-out",
        "\(silent.count) device\(silent.count == 1 ? " has" : "s have") no channel offsets: "
          + "fewer than \(Self.fewest) readings on some channel (\(names))",
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
        "they cannot be separated from distances, or receivers from beacons: choose the "
          + "offsets of receivers or of beacons, or record on all channels at all places")
    }
    let covariance =
      observations.clusterCount > observations.parameters
      ? ClusteredCovariance(
        linear.positions(
          Residuals(parts, observations, coefficients: linear.coefficients)),
        sharesInAdjustment: true) : nil
    if covariance == nil {
      diagnostics.append(
        Diagnostic(
          "channel-offsets-without-errors",
          "\(observations.clusterCount) position\(observations.clusterCount == 1 ? "" : "s") only: no "
            + "standard errors of the channel offsets; record at "
            + "\(observations.parameters + 1) or more",
          value: Double(observations.clusterCount)))
    }
    func append(_ offset: ChannelOffset) {
      // Centring changes only the coefficient of the first column.
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
  /// The stations per channel, each with the readings of that channel.
  fileprivate var byChannel: [Station] {
    Set(levels.map(\.channel)).sorted().map { channel in
      var part = self
      part.levels = levels.filter { $0.channel == channel }
      return part
    }
  }
}

/// The channel offsets in terms of unconstrained coefficients.
///
/// The offsets of a receiver, or of a beacon, sum to 0 over the channels. If both have offsets,
/// those of the beacons also sum to 0 over the beacons on each channel, because their common part
/// belongs to the receivers. Without these constraints, the offsets would be undetermined.
struct ChannelContrasts {
  let channels: [UInt8]
  let receivers: [String]
  let beacons: [String]
  private let receiverNumbers: [String: Int]
  private let beaconNumbers: [String: Int]
  /// A Boolean value that is true if beacons are relative to their mean.
  private let isRelative: Bool

  init(channels: [UInt8], receivers: [String], beacons: [String]) {
    (self.channels, self.receivers) = (channels, receivers)
    // A single beacon is its own mean.
    self.beacons = receivers.isEmpty || beacons.count > 1 ? beacons : []
    receiverNumbers = numbers(receivers)
    beaconNumbers = numbers(self.beacons)
    isRelative = !receivers.isEmpty
  }

  /// The number of coefficients per device.
  private var width: Int { channels.count - 1 }
  /// The number of beacons with their own coefficients.
  private var beaconBlocks: Int { isRelative ? max(0, beacons.count - 1) : beacons.count }
  /// The number of coefficients.
  var count: Int { width * (receivers.count + beaconBlocks) }

  /// Returns an offset of a link as a combination of the coefficients.
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

/// The number of readings of each receiver and each beacon on each advertising channel.
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

  /// Returns the channels with at least a number of readings.
  func channels(least: Int) -> [UInt8] {
    ChannelOffset.channels.filter { all[$0] ?? 0 >= least }
  }

  /// Returns the receivers with at least a number of readings on each of some channels.
  func receivers(on channels: [UInt8], least: Int) -> [String] {
    receivers.filter { name in channels.allSatisfy { byReceiver[name]?[$0] ?? 0 >= least } }
  }

  func beacons(on channels: [UInt8], least: Int) -> [String] {
    beacons.filter { name in channels.allSatisfy { byBeacon[name]?[$0] ?? 0 >= least } }
  }

  /// Returns the number of readings on the channel of an offset.
  func count(of offset: ChannelOffset) -> Int {
    (offset.receiver.flatMap { byReceiver[$0] } ?? offset.beacon.flatMap { byBeacon[$0] })?[
      offset.channel] ?? 0
  }

  /// Returns the reason for missing offsets if fewer than two channels have enough readings.
  func refusal(of channels: [UInt8]) -> String {
    let known = ChannelOffset.channels.filter { all[$0] != nil }
    switch (known.count, channels.count) {
    case (0, _): return "no reading has an advertising channel; levels are used unchanged"
    case (1, _): return "all readings with a channel are of channel \(known[0])"
    default: return "fewer than two channels have \(ChannelOffsetFit.fewest) readings"
    }
  }
}
