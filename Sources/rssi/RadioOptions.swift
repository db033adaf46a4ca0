public import ArgumentParser
import Simulation
import Support

/// The parameters of simulated levels and reception, each with the model's value unless given.
struct RadioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Model of levels and reception: rician (as in recordings) or simple (independent noise, a sharp edge).",
      valueName: "model"))
  var model = RadioModel.rician

  @Option(help: help("Advertising interval in seconds", \.reception.advertisingInterval, "seconds"))
  var interval: Double?

  @Option(help: help("Share of packets lost", \.reception.lossProbability, "share"))
  var loss: Double?

  @Option(help: ArgumentHelp("Scan time between pauses of the receiver.", valueName: "time"))
  var scanOn = "1s"

  @Option(
    help: ArgumentHelp(
      "Length of each pause of the receiver; 0s scans without pauses.", valueName: "time"))
  var scanOff = "0s"

  @Option(
    help: help("Level in dBm at which half of the packets are lost", \.reception.sensitivity, "dbm")
  )
  var sensitivity: Double?

  @Option(
    help: help(
      "Scale in dB of the logistic curve of reception about it", \.reception.sensitivityScale, "db")
  )
  var sensitivityScale: Double?

  @Option(help: help("RSSI at 1 m in dBm", \.propagation.measuredPower, "dbm"))
  var measuredPower: Double?

  @Option(
    help: help(
      "Standard deviation of the RSSI at 1 m from beacon to beacon in dB",
      \.propagation.measuredPowerDeviation, "db"))
  var beaconOffsets: Double?

  @Option(
    help: help(
      "Standard deviation of a beacon's offsets from channel to channel in dB",
      \.propagation.channelDeviation, "db"))
  var channelOffsets: Double?

  @Option(help: help("Path-loss exponent", \.propagation.exponent, "number"))
  var exponent: Double?

  @Option(
    help: help("Standard deviation of the shadowing in dB", \.propagation.shadowingDeviation, "db"))
  var shadowing: Double?

  @Option(
    help: help(
      "Correlation distance of the shadowing in metres", \.propagation.shadowingDistance, "metres"))
  var shadowingDistance: Double?

  @Option(
    help: help(
      "Share of the variance of the shadowing that is the same on each walk",
      \.propagation.shadowingPersistence, "share"))
  var persistence: Double?

  @Option(
    help: help(
      "Standard deviation of what all beacons have in common at a place in dB",
      \.propagation.commonDeviation, "db"))
  var commonShadowing: Double?

  @Option(
    help: help(
      "Loss of a beacon behind the body that carries the receiver in dB", \.propagation.bodyLoss,
      "db"))
  var body: Double?

  @Option(
    help: help(
      "Mean K-factor in dB: power of the direct wave over that of scattered waves",
      \.propagation.kFactor, "db"))
  var kFactor: Double?

  @Option(
    help: help(
      "Standard deviation of the K-factor from link to link in dB", \.propagation.kFactorDeviation,
      "db"))
  var kFactorDeviation: Double?

  @Option(
    help: ArgumentHelp(
      "Correlation time of the fading at rest: of all links, or shortest and longest.",
      valueName: "time[,time]"))
  var fadingTime = "1s,10s"

  @Option(
    help: help(
      "Correlation distance of the fading in metres", \.propagation.fadingDistance, "metres"))
  var fadingDistance: Double?

  @Option(
    help: help(
      "Correlation of the scattered waves of two channels", \.propagation.channelCorrelation,
      "number"))
  var channelCorrelation: Double?

  @Option(
    help: help(
      "Standard deviation of the fading between channels in dB", \.propagation.fadingDeviation,
      "db"))
  var channelFading: Double?

  @Option(
    help: help(
      "Standard deviation from packet to packet in dB", \.propagation.noiseDeviation, "db"))
  var noise: Double?

  /// The option, the name of its parameter in messages of the simulation, and where both are.
  private static var parameters:
    [(option: String, name: String, WritableKeyPath<Scenario, Double>, KeyPath<Self, Double?>)]
  {
    [
      ("interval", "reception.advertisingInterval", \.reception.advertisingInterval, \.interval),
      ("loss", "reception.lossProbability", \.reception.lossProbability, \.loss),
      ("sensitivity", "reception.sensitivity", \.reception.sensitivity, \.sensitivity),
      (
        "sensitivity-scale", "reception.sensitivityScale", \.reception.sensitivityScale,
        \.sensitivityScale
      ),
      (
        "measured-power", "propagation.measuredPower", \.propagation.measuredPower, \.measuredPower
      ),
      (
        "beacon-offsets", "propagation.measuredPowerDeviation",
        \.propagation.measuredPowerDeviation, \.beaconOffsets
      ),
      (
        "channel-offsets", "propagation.channelDeviation", \.propagation.channelDeviation,
        \.channelOffsets
      ),
      ("exponent", "propagation.exponent", \.propagation.exponent, \.exponent),
      (
        "shadowing", "propagation.shadowingDeviation", \.propagation.shadowingDeviation, \.shadowing
      ),
      (
        "shadowing-distance", "propagation.shadowingDistance", \.propagation.shadowingDistance,
        \.shadowingDistance
      ),
      (
        "persistence", "propagation.shadowingPersistence", \.propagation.shadowingPersistence,
        \.persistence
      ),
      (
        "common-shadowing", "propagation.commonDeviation", \.propagation.commonDeviation,
        \.commonShadowing
      ),
      ("body", "propagation.bodyLoss", \.propagation.bodyLoss, \.body),
      ("k-factor", "propagation.kFactor", \.propagation.kFactor, \.kFactor),
      (
        "k-factor-deviation", "propagation.kFactorDeviation", \.propagation.kFactorDeviation,
        \.kFactorDeviation
      ),
      (
        "fading-distance", "propagation.fadingDistance", \.propagation.fadingDistance,
        \.fadingDistance
      ),
      (
        "channel-correlation", "propagation.channelCorrelation", \.propagation.channelCorrelation,
        \.channelCorrelation
      ),
      (
        "channel-fading", "propagation.fadingDeviation", \.propagation.fadingDeviation,
        \.channelFading
      ),
      ("noise", "propagation.noiseDeviation", \.propagation.noiseDeviation, \.noise),
    ]
  }

  /// The options of parameters by the names of these in messages of the simulation.
  static var optionNames: [String: String] {
    Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, "--" + $0.option) })
      .merging([
        "reception.scanOn": "--scan-on", "reception.scanOff": "--scan-off",
        "propagation.fadingTime": "--fading-time",
      ]) { first, _ in first }
  }

  /// The scenario of a seed with these parameters.
  func scenario(seed: UInt64) throws(RSSIError) -> Scenario {
    var scenario = Scenario(seed: seed, model: model)
    for (_, _, parameter, option) in Self.parameters {
      if let value = self[keyPath: option] { scenario[keyPath: parameter] = value }
    }
    scenario.reception.scanOn = try seconds(scanOn, "--scan-on")
    scenario.reception.scanOff = try seconds(scanOff, "--scan-off")
    let times = try fadingTime.split(separator: ",", omittingEmptySubsequences: false).map {
      text throws(RSSIError) in try seconds(String(text), "--fading-time")
    }
    guard let shortest = times.first, let longest = times.last, times.count <= 2,
      shortest <= longest
    else {
      throw RSSIError(
        .usage, "expected one time, or the shortest and the longest, found \"\(fadingTime)\"",
        in: "--fading-time", advice: "examples: 5s, or 1s,10s")
    }
    scenario.propagation.fadingTime = shortest...longest
    return scenario
  }
}

/// Reads a time in seconds; the simulation checks its range.
func seconds(_ text: String, _ option: String) throws(RSSIError) -> Double {
  guard let value = Support.duration(text) else {
    throw RSSIError(.usage, "\(option) \"\(text)\": expected a time such as 500ms, 1s or 5m")
  }
  return Double(value) / 1e9
}

/// The help of a parameter, with its value in each model.
private func help(
  _ text: String, _ parameter: KeyPath<Scenario, Double>, _ valueName: String
) -> ArgumentHelp {
  let values = RadioModel.allCases.map { Scenario(model: $0)[keyPath: parameter] }
  let other = values[1].isFinite ? plain(values[1]) : "none"
  let simple = values[1] == values[0] ? "" : "; simple: \(other)"
  return ArgumentHelp("\(text). (default: \(plain(values[0]))\(simple))", valueName: valueName)
}

extension RadioModel: ExpressibleByArgument {}
