import LivePipelines
import TestSupport
import Testing

private let second: Int64 = 1_000_000_000

@Suite("A lobby") struct RendezvousTests {
  @Test func `starts everybody at one instant`() throws {
    var world = SimulatedRendezvous(seed: 1)
    for name in ["hall", "kitchen", "roof"] { _ = world.add(name, expected: 3) }
    world.run(6 * second)
    let starts = try world.programs.map { try #require($0.begun).trueTime }
    let last = try #require(starts.max())
    let first = try #require(starts.min())
    #expect(last - first < 20_000_000)
    #expect(Set(world.programs.map { $0.begun?.session }).count == 1)
    #expect(world.programs.count { $0.lobby.isLeading } == 1)
  }

  @Test func `waits for as many as expected and for who is not ready`() {
    var world = SimulatedRendezvous(seed: 2)
    _ = world.add("hall", expected: 2)
    world.run(5 * second)
    #expect(world.programs[0].begun == nil)
    _ = world.add("kitchen", expected: 2, readyAfter: 10 * second)
    world.run(9 * second)
    #expect(world.programs.allSatisfy { $0.begun == nil })
    world.run(4 * second)
    #expect(world.programs.allSatisfy { $0.begun != nil })
  }

  @Test func `is ended for all where somebody asks or the time is over`() throws {
    var world = SimulatedRendezvous(seed: 3)
    for name in ["a", "b"] { _ = world.add(name) }
    world.run(5 * second)
    let session = try #require(world.programs[0].begun).session
    world.publish(.stop(.random()))
    world.run(2 * second)
    #expect(world.programs.allSatisfy { $0.ended == nil })
    world.publish(.stop(session))
    world.run(2 * second)
    let ends = try world.programs.map { try #require($0.ended) }
    #expect(abs(ends[0] - ends[1]) < 20_000_000)

    world = SimulatedRendezvous(seed: 4)
    for name in ["a", "b"] { _ = world.add(name, duration: 3 * second) }
    world.run(10 * second)
    for program in world.programs {
      let length = try #require(program.ended) - #require(program.begun).trueTime
      #expect(abs(length - 3 * second) < 2_000_000)
    }
  }

  @Test func `who leaves does not stop the others and the last tidies up`() {
    var world = SimulatedRendezvous(seed: 5)
    for name in ["a", "b", "c"] { _ = world.add(name, expected: 3) }
    world.run(5 * second)
    world.leave(0)
    world.run(3 * second)
    #expect(world.programs[1].lobby.me.state == .recording)
    #expect(world.kept("a")?.state == .left)
    #expect(world.programs.count { $0.isAlive && $0.lobby.isLeading } == 1)
    world.leave(1)
    world.run(second)
    world.leave(2)
    world.run(second)
    #expect(world.keptNames.isEmpty && world.announcement == nil)
  }

  @Test func `who leaves together tidies up together`() {
    for seed in 20..<40 {
      var world = SimulatedRendezvous(seed: UInt64(seed))
      for name in ["a", "b", "c"] { _ = world.add(name, expected: 3) }
      world.run(5 * second)
      for index in 0..<3 { world.leave(index) }
      world.run(2 * second)
      #expect(world.keptNames.isEmpty && world.announcement == nil)
    }
  }

  @Test func `who was lost comes back into the running session`() throws {
    var world = SimulatedRendezvous(seed: 6)
    let key = Token.random()
    _ = world.add("a", expected: 3)
    _ = world.add("b", key: key, expected: 3)
    _ = world.add("c", expected: 3)
    world.run(5 * second)
    let session = try #require(world.programs[0].begun).session
    world.crash(1)
    world.run(second)
    #expect(world.kept("b")?.state == .lost && world.kept("b")?.session == session)
    let stranger = world.add("b", expected: 3)
    world.run(2 * second)
    #expect(world.programs[stranger].lobby.refusal == .nameKept("b"))
    let back = world.add("b", key: key, expected: 3)
    world.run(4 * second)
    #expect(world.programs[back].begun?.session == session)
    #expect(world.programs[0].lobby.announcement?.session == session)
  }

  @Test func `refuses an equal name while its owner answers`() {
    var world = SimulatedRendezvous(seed: 7)
    _ = world.add("hall")
    world.run(2 * second)
    let second = world.add("hall")
    world.run(2 * 1_000_000_000)
    #expect(world.programs[second].lobby.refusal == .nameTaken("hall"))
    #expect(world.kept("hall")?.incarnation == world.programs[0].lobby.me.incarnation)
  }

  @Test func `takes the name of a dead one that the broker takes for alive`() {
    var world = SimulatedRendezvous(seed: 8)
    var ghost = Member(
      name: "hall", key: .random(), incarnation: .random(), expected: 2, limit: 8)
    ghost.ticket = 1
    world.publish(.presence(ghost))
    let index = world.add("hall")
    world.run(3 * second)
    #expect(world.programs[index].lobby.isInside)
    // Its will comes late, and is overwritten.
    ghost.state = .lost
    world.publish(.presence(ghost))
    world.run(second)
    #expect(world.kept("hall")?.state.isPresent == true)
  }

  @Test func `a leader that does not answer holds nobody up`() {
    var world = SimulatedRendezvous(seed: 11)
    var ghost = Member(
      name: "hall", key: .random(), incarnation: .random(), expected: 2, limit: 8)
    (ghost.ticket, ghost.state, ghost.isSynchronised) = (1, .ready, true)
    world.publish(.presence(ghost))
    for name in ["a", "b"] { _ = world.add(name) }
    world.run(8 * second)
    #expect(world.programs.allSatisfy { $0.begun == nil })
    world.run(8 * second)
    #expect(world.kept("hall")?.state == .lost)
    #expect(world.programs.allSatisfy { $0.begun != nil })
    #expect(world.programs.contains { $0.lobby.silent == [ghost.incarnation] })
  }

  @Test func `a leader that is there contradicts who takes it for lost`() throws {
    var world = SimulatedRendezvous(seed: 12)
    for name in ["a", "b"] { _ = world.add(name) }
    world.run(5 * second)
    let leader = try #require(world.programs.first { $0.lobby.isLeading }).lobby.me
    var lost = leader
    lost.state = .lost
    world.publish(.presence(lost))
    world.run(second)
    #expect(world.kept(leader.name)?.state == .recording)
    world.run(20 * second)
    #expect(world.programs.allSatisfy { $0.lobby.silent.isEmpty })
  }

  /// A broker that lost its power publishes no will, and its successor knows nobody.
  @Test func `who went with a broker that forgot is lost`() throws {
    var world = SimulatedRendezvous(seed: 13)
    for name in ["a", "b", "c"] { _ = world.add(name, expected: 3) }
    world.run(5 * second)
    let leader = try #require(world.programs.firstIndex { $0.lobby.isLeading })
    let (dead, other) = ((leader + 1) % 3, (leader + 2) % 3)
    world.programs[dead].isAlive = false
    for index in [leader, other] {
      world.programs[index].lobby.disconnected()
      world.programs[index].lobby.connected(at: world.clock(index))
    }
    let names = world.programs.map(\.lobby.me.name)
    world.run(30 * second)
    let before = world.programs[leader].lobby.others.mapValues(\.state)
    #expect(before == [names[dead]: .recording, names[other]: .recording])
    world.run(10 * second)
    let after = world.programs[leader].lobby.others.mapValues(\.state)
    #expect(after == [names[dead]: .lost, names[other]: .recording])
  }

  @Test func `has no more members than its limit`() {
    var world = SimulatedRendezvous(seed: 9)
    for number in 0..<4 { _ = world.add("m\(number)", expected: 9, limit: 3) }
    world.run(2 * second)
    #expect(world.programs.count { $0.isAlive } == 3)
    #expect(world.programs.compactMap(\.lobby.refusal) == [.full(limit: 3)])
    let late = world.add("late", limit: 100)
    world.run(2 * second)
    #expect(world.programs[late].lobby.refusal == .full(limit: 3))
  }

  @Test func `remains of an ended session start nothing`() {
    var world = SimulatedRendezvous(seed: 10)
    world.publish(
      .announcement(
        Announcement(
          term: 7, session: .random(), start: 1_600_000_000 * second, end: nil, expected: 1)))
    _ = world.add("a", expected: 2)
    world.run(4 * second)
    #expect(world.programs[0].begun == nil && world.announcement == nil)
  }
}
