import LivePipelines
import TestSupport
import Testing

private let second: Int64 = 1_000_000_000

@Suite("A lobby, whatever order things happen in") struct RendezvousPropertyTests {
  @Test(arguments: 0..<60)
  func `has one leader and nobody starts alone`(seed: UInt64) throws {
    var world = SimulatedRendezvous(seed: seed, longestDelay: 30_000_000)
    var random = SeededGenerator(seed: seed ^ 0xABCD)
    let expected = Int.random(in: 2...3, using: &random)
    var names = ["a", "b", "c", "d"]
    var keys: [String: Token] = [:]
    var agreed: [Token: Set<String>] = [:]
    for _ in 0..<14 {
      let alive = world.programs.indices.filter { world.programs[$0].isAlive }
      switch Int.random(in: 0..<5, using: &random) {
      case 0...1:
        names.shuffle(using: &random)
        let name = names[0]
        let key = keys[name] ?? .random()
        keys[name] = key
        if !alive.contains(where: { world.programs[$0].lobby.me.name == name }) {
          _ = world.add(
            name, key: key, expected: expected,
            readyAfter: .random(in: 0...second, using: &random))
        }
      case 2: if let one = alive.randomElement(using: &random) { world.crash(one) }
      case 3: if let one = alive.randomElement(using: &random) { world.leave(one) }
      default: break
      }
      for _ in 0..<Int.random(in: 1...100, using: &random) {
        world.run(20_000_000)
        note(world, in: &agreed)
      }
    }
    for _ in 0..<400 {
      world.run(20_000_000)
      note(world, in: &agreed)
    }
    let alive = world.programs.filter(\.isAlive)
    #expect(alive.allSatisfy { $0.lobby.isInside })
    #expect(alive.isEmpty || alive.count { $0.lobby.isLeading } == 1)
    #expect(Set(alive.map { $0.lobby.leader?.name }).count <= 1)
    // Who began had read that as many as expected agreed to that very session.
    for program in world.programs {
      guard let begun = program.begun else { continue }
      #expect((agreed[begun.session] ?? []).count >= expected)
    }
    // Enough who are ready do not wait for ever.
    if alive.count >= expected { #expect(alive.allSatisfy { $0.begun != nil }) }
    #expect(Set(alive.compactMap { $0.begun?.session }).count <= 1)
    #expect(Set(alive.map(\.lobby.me.name)).count == alive.count)
  }

  /// Who ever published which session.
  private func note(_ world: SimulatedRendezvous, in agreed: inout [Token: Set<String>]) {
    for name in world.keptNames {
      if let session = world.kept(name)?.session { agreed[session, default: []].insert(name) }
    }
  }

  @Test(arguments: 100..<130)
  func `outlives whatever is published`(seed: UInt64) {
    var world = SimulatedRendezvous(seed: seed)
    var random = SeededGenerator(seed: seed)
    for name in ["a", "b"] { _ = world.add(name) }
    for _ in 0..<200 {
      world.publish(hostile(&random, world))
      world.run(10_000_000)
    }
    world.run(8 * second)
    // Both are there, or went because of a name or a limit that somebody made up.
    for program in world.programs { #expect(program.isAlive || program.lobby.refusal != nil) }
  }

  private func hostile(_ random: inout SeededGenerator, _ world: SimulatedRendezvous)
    -> RendezvousMessage
  {
    let numbers: [Int64] = [.min, .min / 2, -1, 0, 1, 1 << 62, .max]
    let number = numbers.randomElement(using: &random) ?? 0
    let known = world.programs.map(\.lobby.me.incarnation)
    let token =
      Bool.random(using: &random) ? known.randomElement(using: &random) ?? .random() : .random()
    var member = Member(
      name: ["a", "b", "x"].randomElement(using: &random) ?? "x", key: .random(),
      incarnation: token,
      expected: Int(truncatingIfNeeded: number), limit: Int(truncatingIfNeeded: number))
    member.ticket = UInt32(truncatingIfNeeded: number) >> 1
    member.state = Member.State.allCases.randomElement(using: &random) ?? .lost
    member.isSynchronised = Bool.random(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .presence(member)
    case 1: return .absence(member.name)
    case 2:
      return .announcement(
        Announcement(
          term: UInt32(truncatingIfNeeded: number), session: .random(), start: number,
          end: Bool.random(using: &random) ? number : nil, expected: Int(truncatingIfNeeded: number)
        ))
    case 3: return .withdrawal
    case 4:
      return .question(ClockQuestion(number: 0, name: "b", incarnation: token), to: "a")
    case 5:
      return .answer(
        ClockAnswer(
          asker: token, number: UInt32.random(in: 0...20, using: &random), answerer: .random(),
          times: .init(arrived: number, answered: number, uncertainty: number)), to: "a")
    case 6: return .marker(token, to: "a")
    default: return .stop(token)
    }
  }
}
