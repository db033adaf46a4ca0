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
