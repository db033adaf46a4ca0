import Testing

@testable import Advertising

@Suite struct FrameScheduleTests {
  private let second: Int64 = 1_000_000_000
  private let uid: BeaconFrame

  init() throws {
    let id = try #require(
      BeaconPattern("eddystone-uid:00010203040506070809:AABBCCDDEEFF")?.identity)
    uid = try BeaconFrame(id, measuredPower: -59)
  }

  @Test func `without telemetry nothing changes`() {
    let schedule = FrameSchedule(uid, interval: second / 10)
    for tick in 0..<420 {
      #expect(schedule.frame(at: Int64(tick) * second / 7) == uid)
    }
  }

  /// For two intervals and a bit at the end of every five seconds, with what was true at its start.
  @Test func `telemetry comes every five seconds`() throws {
    let schedule = FrameSchedule(
      uid, interval: second / 10,
      telemetry: FrameSchedule.Telemetry(batteryVoltage: 3000, temperature256: -576))
    #expect(schedule.frame(at: 0) == uid)
    #expect(schedule.frame(at: 4_679_999_999) == uid)
    let first = EddystoneTLM(
      batteryVoltage: 3000, temperature256: -576, advertisementCount: 44, uptimeTenths: 46)
    #expect(schedule.frame(at: 4_680_000_000) == .eddystoneTLM(first))
    #expect(schedule.frame(at: 4_999_999_999) == .eddystoneTLM(first))
    #expect(schedule.frame(at: 5 * second) == uid)
    #expect(schedule.firstTelemetry == 4_680_000_000)
    guard case .eddystoneTLM(let later) = schedule.frame(at: 3600 * second - 1) else {
      Issue.record("no telemetry")
      return
    }
    // 3599.68 s at one advertisement in 105 ms.
    #expect(later.advertisementCount == 34_282)
    #expect(later.uptimeTenths == 35_996)
    #expect(later.temperature == -2.25)
  }

  /// However long the interval, telemetry and the beacon itself are both on the air.
  @Test(arguments: [20, 100, 1000, 10_240])
  func `both are sent long enough`(milliseconds: Int64) {
    let interval = milliseconds * 1_000_000
    let schedule = FrameSchedule(uid, interval: interval, telemetry: FrameSchedule.Telemetry())
    let length = schedule.period - schedule.firstTelemetry
    #expect(length >= 2 * interval)
    #expect(schedule.firstTelemetry >= 7 * interval)
  }

  /// Counts go round, as 32 bits do, and an uptime of years traps nothing.
  @Test func `years pass`() {
    let schedule = FrameSchedule(uid, interval: second / 50, telemetry: FrameSchedule.Telemetry())
    for years in [1, 20, 250] as [Int64] {
      _ = schedule.frame(at: years * 365 * 86_400 * second + 4_900_000_000)
    }
  }
}
