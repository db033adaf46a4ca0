import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import PathLoss

struct ChannelOffsetFitTests {
  /// Links of two receivers and three beacons whose channels have offsets that are given.
  private func stations(
    _ generator: inout SeededGenerator, places: Int = 4, packets: Int = 30, fading: Double = 2,
    receivers: [[Double]] = [[6, -1, -5], [-2, 3, -1]],
    beacons: [[Double]] = [[1, 0, -1], [0, 1, -1], [-1, -1, 2]]
  ) -> [Station] {
    var stations: [Station] = []
    for receiver in receivers.indices {
      for beacon in beacons.indices {
        for place in 0..<places {
          let distance = pow(10, (Double(place) + 0.2) / Double(places) * 1.3)
          let mean = -59 - 22 * log10(distance) + 4 * generator.gaussian()
          var counts: [LevelCount] = []
          for channel in 0..<3 {
            let level =
              mean + receivers[receiver][channel] + beacons[beacon][channel]
              + fading * generator.gaussian()
            // Channels are heard unequally often.
            for _ in 0..<packets * (channel + 2) / 3 {
              counts.append(
                LevelCount(
                  level: level + 2 * generator.gaussian(), channel: UInt8(37 + channel), count: 1))
            }
          }
          stations.append(
            Station(
              beacon: "b\(beacon)", receiver: "r\(receiver)", series: "s",
              position: UInt64(stations.count), distance: distance,
              levels: LevelCount.merged(counts)))
        }
      }
    }
    return stations
  }

  /// Levels, x, channels from 0, receivers and beacons of single readings.
  private func rows(_ stations: [Station]) -> [[Double]] {
    let cells = stations.flatMap { station in station.levels.map { (station, $0) } }
    func number(_ name: String) -> Double { Double(name.dropFirst()) ?? 0 }
    return [
      cells.map(\.1.level), cells.map { -10 * log10($0.0.distance) },
      cells.map { Double($0.1.channel) - 37 }, cells.map { number($0.0.receiver) },
      cells.map { number($0.0.beacon) },
    ]
  }

  @Test func `offsets and constants are those of one least squares in numpy`() throws {
    var generator = SeededGenerator(seed: 5)
    let stations = stations(&generator)
    // Offsets by indicators of every device and channel, and the sums that are 0 as exact
    // equations.
    let script = """
      z, x, channel, receiver, beacon = rows
      for scope in range(3):
          devices = [receiver] if scope == 0 else [beacon] if scope == 1 else [receiver, beacon]
          columns, sums, width = [np.ones(len(z)), x], [], 2
          for device in devices:
              names = int(device.max()) + 1
              for name in range(names):
                  sums.append([width + 3 * name + c for c in range(3)])
                  columns += [1.0 * ((device == name) & (channel == c)) for c in range(3)]
              if len(devices) == 2 and device is beacon:
                  sums += [[width + 3 * name + c for name in range(names)] for c in range(3)]
              width += 3 * names
          A = np.stack(columns, 1)
          C = np.zeros((len(sums), width))
          for i, places in enumerate(sums): C[i, places] = 1
          u, s, vt = np.linalg.svd(C)
          null = vt[(s > 1e-9).sum():].T
          theta = null @ np.linalg.lstsq(A @ null, z, rcond=None)[0]
          answer(*theta)
      """
    let expected = try reference(script, rows(stations))
    for (scope, answer) in zip([ChannelOffsetScope.receiver, .beacon, .both], expected) {
      let fit = ChannelOffsetFit(scope, .logDistance, stations)
      #expect(fit.diagnostics.isEmpty)
      let receivers = fit.offsets.filter { $0.receiver != nil }
      let beacons = fit.offsets.filter { $0.beacon != nil }
      let found = (receivers + beacons).map(\.offset)
      #expect(zip(found, answer.dropFirst(2)).allSatisfy { abs($0 - $1) < 1e-9 })
      #expect(found.count == answer.count - 2)
      // With the offsets taken off, the constants are those of the joint fit.
      let group = PathLossFit().group(
        key: "k",
        stations.map {
          $0.removing(
            LinkChannelOffsets(fit.offsets, beacon: $0.beacon, receiver: $0.receiver))
        })
      #expect(abs(try #require(group.measuredPower) - answer[0]) < 1e-9)
      #expect(abs(try #require(group.exponent) - answer[1]) < 1e-9)
      #expect(receivers.map(\.samples).reduce(0, +) == (scope == .beacon ? 0 : group.samples))
    }
  }

  @Test(.systemRun)
  func `95 % intervals hold the offsets in 93 to 97 % of 400 calibrations`() {
    var generator = SeededGenerator(seed: 11)
    let truth: [[Double]] = [[6, -1, -5], [-2, 3, -1]]
    for scope in [ChannelOffsetScope.receiver, .both] {
      var (held, all) = (0, 0)
      var squares = (error: 0.0, claimed: 0.0)
      for _ in 0..<400 {
        let stations = stations(
          &generator, places: 5, packets: 12, receivers: truth,
          beacons: scope == .both ? [[1, 0, -1], [-1, 0, 1]] : [[0, 0, 0], [0, 0, 0]])
        for offset in ChannelOffsetFit(scope, .logDistance, stations).offsets {
          let channel = Int(offset.channel) - 37
          let value =
            offset.receiver.map { truth[$0 == "r0" ? 0 : 1][channel] }
            ?? Double((offset.beacon == "b0" ? 1 : -1) * (1 - channel))
          all += 1
          held += offset.interval?.contains(value) == true ? 1 : 0
          squares.error += (offset.offset - value) * (offset.offset - value)
          squares.claimed += (offset.standardError ?? 0) * (offset.standardError ?? 0)
        }
      }
      let share = Double(held) / Double(all)
      let ratio = (squares.claimed / squares.error).squareRoot()
      print("\(scope): \(share) of \(all) offsets held; claimed over true errors \(ratio)")
      #expect((0.93...0.97).contains(share))
      #expect((0.9...1.1).contains(ratio))
    }
  }

  @Test func `reports why an estimate is impossible`() {
    var generator = SeededGenerator(seed: 7)
    let whole = stations(&generator)
    func keeping(_ keep: (LevelCount) -> Bool) -> [Station] {
      whole.map { station in
        var station = station
        station.levels = station.levels.filter(keep)
        return station
      }.filter { !$0.levels.isEmpty }
    }
    let unknown = whole.map { station in
      var station = station
      station.levels = station.levels.map { LevelCount(level: $0.level, count: $0.count) }
      return station
    }
    for (stations, words) in [
      (unknown, "no reading has an advertising channel"),
      (keeping { $0.channel == 38 }, "all readings with a channel are of channel 38"),
      (keeping { $0.channel == 38 || $0 == whole[0].levels[0] }, "fewer than two"),
    ] {
      let fit = ChannelOffsetFit(.receiver, .logDistance, stations)
      #expect(fit.offsets.isEmpty && fit.diagnostics.map(\.code) == ["no-channel-offsets"])
      #expect(fit.diagnostics.allSatisfy { $0.message.contains(words) }, "\(fit.diagnostics)")
    }
    #expect(ChannelOffsetFit(.none, .logDistance, whole).diagnostics.isEmpty)
    // One of two receivers hears one channel.
    let half = whole.map { station in
      var station = station
      if station.receiver == "r1" { station.levels.removeAll { $0.channel != 37 } }
      return station
    }
    let fit = ChannelOffsetFit(.receiver, .logDistance, half)
    #expect(Set(fit.offsets.map(\.receiver)) == ["r0"])
    #expect(fit.diagnostics.map(\.code) == ["channel-offsets-left-out"])
    // Each beacon has a receiver of its own: what is of which is not known.
    let paired = whole.filter { $0.beacon.dropFirst() == $0.receiver.dropFirst() }
    let both = ChannelOffsetFit(.both, .logDistance, paired)
    #expect(both.offsets.isEmpty && both.diagnostics.map(\.code) == ["no-channel-offsets"])
    // One distance has no slope, but channels.
    let near = whole.map { station in
      var station = station
      station.distance = 2
      return station
    }
    #expect(ChannelOffsetFit(.receiver, .logDistance, near).offsets.count == 6)
    let few = ChannelOffsetFit(.receiver, .logDistance, Array(whole.prefix(2)))
    #expect(few.offsets.count == 3 && few.offsets.allSatisfy { $0.standardError == nil })
    #expect(few.diagnostics.map(\.code) == ["channel-offsets-without-errors"])
  }

  @Test func `removing offsets moves levels and what follows each other`() {
    var station = Station(
      beacon: "b", receiver: "r", series: "s", position: 1, distance: 1,
      levels: [
        LevelCount(level: -60, channel: 37, count: 2),
        LevelCount(level: -58, channel: 37, count: 1),
      ])
    station.succession.pairs = 2
    (station.succession.earlier, station.succession.later) = (-120, -118)
    station.succession.products = 60 * 60 + 60 * 58
    let offsets = LinkChannelOffsets(
      [
        ChannelOffset(receiver: "r", channel: 37, offset: 3),
        ChannelOffset(beacon: "b", channel: 37, offset: -1),
        ChannelOffset(beacon: "other", channel: 37, offset: 9),
      ], beacon: "b", receiver: "r")
    #expect(offsets[37] == 2 && offsets[38] == 0 && offsets[12] == 0 && offsets[255] == 0)
    let moved = station.removing(offsets)
    #expect(moved.levels.map(\.level) == [-62, -60])
    #expect(moved.succession.earlier == -124 && moved.succession.later == -122)
    #expect(moved.succession.products == 62 * 62 + 62 * 60)
    #expect(station.removing(LinkChannelOffsets([], beacon: "b", receiver: "r")) == station)
  }
}
