import LivePipelines
import Support
import TestSupport
import Testing
import TracePipelines
import TraceStore

private let second: Int64 = 1_000_000_000

@Suite("A session, whatever happens to it") struct RendezvousPropertyTests {
  private static let duration = 40 * second

  /// A leader and two members, each of which may be killed at any instant, also before the start;
  /// connections that end, and a broker that goes and comes back with its memory or without.
  @Test(arguments: 0..<60)
  func `loses no sighting, and its parts merge`(seed: UInt64) throws {
    var world = SimulatedRendezvous(seed: seed, longestDelay: 30_000_000)
    var random = SeededGenerator(seed: seed ^ 0xABCD)
    let names = ["a", "b", "c"]
    let keys = names.map { _ in Token.random() }
    let terms = SessionTerms(members: 3, duration: .nanoseconds(Self.duration))
    for (number, name) in names.enumerated().shuffled(using: &random) {
      _ = world.add(
        name, starting: number == 0 ? terms : nil, key: keys[number],
        readyAfter: .random(in: 0...second, using: &random))
      world.run(.random(in: 0...second, using: &random))
    }
    // One of each seed is killed within the seconds around the start.
    let leader = try #require(world.programs.firstIndex { $0.lobby.me.name == "a" })
    world.run(.random(in: 0...4 * second, using: &random))
    if seed.isMultiple(of: 2) { world.crash(leader) }
    for _ in 0..<6 {
      disturb(&world, names, keys, &random)
      world.run(.random(in: 0...6 * second, using: &random))
    }
    world.run(Self.duration + 5 * second)
    try check(world)
    try merge(world)
  }

  private func disturb(
    _ world: inout SimulatedRendezvous, _ names: [String], _ keys: [Token],
    _ random: inout SeededGenerator
  ) {
    let alive = world.programs.indices.filter { world.programs[$0].isAlive }
    guard let one = alive.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: world.crash(one)
    case 1: world.cut(one, for: .random(in: 0...30 * second, using: &random))
    case 2:
      world.restartBroker(
        after: .random(in: 0...20 * second, using: &random), forgets: .random(using: &random))
    case 3, 4:
      // One that was killed is switched on again, as a member.
      guard let number = names.indices.randomElement(using: &random),
        !alive.contains(where: { world.programs[$0].lobby.me.name == names[number] })
      else { return }
      _ = world.add(names[number], key: keys[number])
    default: break
    }
  }

  /// Checks that every member that began recorded until the common end, or until it was killed.
  private func check(_ world: SimulatedRendezvous) throws {
    let begun = world.programs.filter { $0.begun != nil }
    #expect(world.programs.allSatisfy { !$0.isIdle })
    #expect(Set(begun.compactMap { $0.begun?.session }).count <= 1)
    guard let start = begun.compactMap({ $0.begun?.trueTime }).min() else { return }
    for program in begun {
      let name = program.lobby.me.name
      #expect(program.lobby.refusal == nil, "\(name)")
      if let ended = program.ended {
        #expect(abs(ended - start - Self.duration) < 100_000_000, "\(name) ended at \(ended)")
      } else {
        #expect(!program.isAlive, "\(name) does not end")
      }
      // Every 50 ms, without a hole.
      let steps = zip(program.received.dropFirst(), program.received).map { $0 - $1 }
      #expect(steps.allSatisfy { $0 == 50_000_000 }, "\(name)")
    }
    // Every member that was there at the start, and knew of it, started with the others.
    let first = begun.filter { $0.readyTime < start - 2 * second }.compactMap { $0.begun?.trueTime }
    #expect(first.filter { $0 - start < second }.allSatisfy { $0 - start < 60_000_000 })
  }

  /// Merges the parts, and compares with what was received, in the time of the leader's clock.
  private func merge(_ world: SimulatedRendezvous) throws {
    let parts = try SessionParts()
    let leader = try #require(world.programs.firstIndex { $0.lobby.isLeading })
    var (paths, expected): ([String], [String: [Int64]]) = ([], [:])
    var bounds: [String: Int64] = [:]
    for (index, program) in world.programs.enumerated() where !program.received.isEmpty {
      let name = program.lobby.me.name
      var plan = SessionParts.Plan(
        member: name, key: program.lobby.me.key, number: UInt16(index + 1),
        rows: program.received.map { (world.wallClock(index, at: $0) - parts.start, -50) })
      (plan.unit, plan.receiver) = (1, name)
      plan.offsets = program.offsets.map { known in
        let time = world.clock(index, at: known.trueTime) + known.estimate.offset
        return (time - parts.start, time - world.wallClock(index, at: known.trueTime))
      }
      for known in program.offsets {
        let truth =
          world.wallClock(leader, at: known.trueTime) - world.clock(index, at: known.trueTime)
        #expect(abs(known.estimate.offset - truth) <= known.estimate.uncertainty + 100_000)
        bounds[name] = max(bounds[name] ?? 0, known.estimate.uncertainty)
      }
      paths.append(try parts.write(plan, to: "\(index).h5"))
      expected[name, default: []] += program.received.map { world.wallClock(leader, at: $0) }
    }
    guard !paths.isEmpty else { return }
    let tool = ToolIdentity(version: "1", commandLine: "test")
    let result = try SessionMergeStage(
      SessionMergeRequest(paths.shuffled(), into: parts.folder.path("all.h5"))
    ).run(in: StageContext(tool: tool, log: TestLog()))
    #expect(result.sightings == world.programs.reduce(0) { $0 + $1.received.count })
    #expect(result.repeated == 0 && result.copies.isEmpty)
    let merged = Dictionary(grouping: try parts.rows(result.path), by: \.receiver)
    for (name, times) in expected {
      let got = try #require(merged[name]).map(\.time)
      #expect(got.count == times.count, "\(name)")
      // Milliseconds; between two measurements, and after the last, the clocks drift.
      let bound = (bounds[name] ?? 0) / 1_000_000 + 2
      let errors = zip(got, times.sorted()).map { abs($0 - ($1 - parts.start) / 1_000_000) }
      #expect(errors.allSatisfy { $0 <= bound }, "\(name): \(errors.max() ?? 0), \(bound) ms")
    }
  }

  @Test(arguments: 100..<130)
  func `outlives whatever is published`(seed: UInt64) {
    var world = SimulatedRendezvous(seed: seed)
    var random = SeededGenerator(seed: seed)
    _ = world.add("a", starting: SessionTerms())
    _ = world.add("b")
    for _ in 0..<200 {
      world.publish(hostile(&random, world))
      world.run(10_000_000)
    }
    world.run(8 * second)
    // Both are there, or went because of a name, a limit, a leader or an end that was made up.
    for program in world.programs {
      #expect(program.isAlive || program.lobby.refusal != nil || program.ended != nil)
    }
  }

  private func hostile(_ random: inout SeededGenerator, _ world: SimulatedRendezvous)
    -> RendezvousMessage
  {
    let numbers: [Int64] = [.min, .min / 2, -1, 0, 1, 1 << 62, .max]
    let number = numbers.randomElement(using: &random) ?? 0
    let known = world.programs.map(\.lobby.me.incarnation)
    let token =
      Bool.random(using: &random) ? known.randomElement(using: &random) ?? .random() : .random()
    let session =
      Bool.random(using: &random) ? world.announcement?.session ?? .random() : .random()
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      var member = Member(
        name: ["a", "b", "x"].randomElement(using: &random) ?? "x", key: .random(),
        incarnation: token)
      member.state = Member.State.allCases.randomElement(using: &random) ?? .lost
      member.session = session
      return .presence(member)
    case 1: return .absence(["a", "b", "x"].randomElement(using: &random) ?? "x")
    case 2:
      var announcement = Announcement(
        session: session, number: UInt32(truncatingIfNeeded: number), leader: "x", opened: number,
        limit: Int(truncatingIfNeeded: number))
      if Bool.random(using: &random) { announcement.start = number }
      if Bool.random(using: &random) { announcement.end = number }
      return .announcement(announcement)
    case 3: return .withdrawal
    case 4:
      return .question(
        ClockQuestion(number: 0, name: "b", incarnation: token, session: session), to: "a")
    case 5:
      let asked = ClockQuestion(
        number: .random(in: 0...20, using: &random), name: "a", incarnation: token,
        session: session)
      return .answer(
        ClockAnswer(
          to: asked, from: .random(),
          times: .init(arrived: number, answered: number, uncertainty: number)), to: "a")
    default: return .marker(token, to: "a")
    }
  }
}
