import LivePipelines
import TestSupport
import Testing

private let second: Int64 = 1_000_000_000

@Suite("A lobby") struct RendezvousTests {
  private func world(
    _ seed: UInt64, _ names: [String], duration: Int64? = nil, longestDelay: Int64 = 20_000_000
  ) -> SimulatedRendezvous {
    var world = SimulatedRendezvous(seed: seed, longestDelay: longestDelay)
    let terms = SessionTerms(members: names.count, duration: duration.map(Duration.nanoseconds))
    for (number, name) in names.enumerated() {
      _ = world.add(name, starting: number == 0 ? terms : nil)
    }
    return world
  }

  @Test func `starts all members at one instant`() throws {
    var world = world(1, ["hall", "kitchen", "roof"])
    world.run(6 * second)
    let starts = try world.programs.map { try #require($0.begun).trueTime }
    let last = try #require(starts.max())
    let first = try #require(starts.min())
    #expect(last - first < 20_000_000)
    #expect(Set(world.programs.map { $0.begun?.session }).count == 1)
    #expect(world.programs.map(\.lobby.isLeading) == [true, false, false])
  }

  @Test func `waits for as many as expected and for who is not ready`() {
    var world = SimulatedRendezvous(seed: 2)
    _ = world.add("hall", starting: SessionTerms())
    world.run(5 * second)
    #expect(world.programs[0].begun == nil)
    _ = world.add("kitchen", readyAfter: 10 * second)
    world.run(9 * second)
    #expect(world.programs.allSatisfy { $0.begun == nil })
    world.run(4 * second)
    #expect(world.programs.allSatisfy { $0.begun != nil })
  }

  @Test func `members that come before the leader wait for it`() throws {
    var world = SimulatedRendezvous(seed: 14)
    for name in ["a", "b"] { _ = world.add(name) }
    world.run(20 * second)
    #expect(world.programs.allSatisfy { $0.lobby.isInside && $0.begun == nil })
    #expect(!world.programs[0].lobby.hasLeader(at: world.clock(0)))
    _ = world.add("hall", starting: SessionTerms(members: 3))
    world.run(6 * second)
    let starts = try world.programs.map { try #require($0.begun).trueTime }
    #expect(try #require(starts.max()) - #require(starts.min()) < 20_000_000)
    #expect(world.programs[0].lobby.hasLeader(at: world.clock(0)))
  }

  @Test func `ends for all on request or when the time is over`() throws {
    var world = world(3, ["a", "b"])
    world.run(5 * second)
    world.stop()
    world.run(2 * second)
    let ends = try world.programs.map { try #require($0.ended) }
    #expect(abs(ends[0] - ends[1]) < 20_000_000)

    world = self.world(4, ["a", "b"], duration: 3 * second, longestDelay: 2_000_000)
    world.run(10 * second)
    for program in world.programs {
      let length = try #require(program.ended) - #require(program.begun).trueTime
      #expect(abs(length - 3 * second) < 2_000_000)
    }
  }

  @Test func `a stop reaches a member that was away`() throws {
    var world = world(15, ["a", "b"])
    world.run(5 * second)
    world.cut(1, for: 20 * second)
    world.run(second)
    world.stop()
    world.run(2 * second)
    #expect(world.programs[0].ended != nil && world.programs[1].ended == nil)
    world.run(20 * second)
    #expect(world.programs[1].ended != nil)
  }

  @Test func `a member that leaves does not stop the others, and the last tidies up`() {
    var world = world(5, ["a", "b", "c"])
    world.run(5 * second)
    world.leave(0)
    world.run(3 * second)
    #expect(world.programs[1].lobby.me.state == .recording)
    #expect(world.kept("a")?.state == .left)
    world.leave(1)
    world.run(second)
    world.leave(2)
    world.run(second)
    #expect(world.keptNames.isEmpty && world.announcement == nil)
  }

  @Test func `members that leave together tidy up together`() {
    for seed in 20..<40 {
      var world = world(UInt64(seed), ["a", "b", "c"])
      world.run(5 * second)
      for index in 0..<3 { world.leave(index) }
      world.run(2 * second)
      #expect(world.keptNames.isEmpty && world.announcement == nil)
    }
  }

  @Test func `a leader that goes before the start takes the session with it`() {
    var world = world(16, ["a", "b", "c"])
    world.crash(2)
    world.run(3 * second)
    world.leave(0)
    world.run(second)
    #expect(world.announcement == nil && world.programs[1].begun == nil)
    _ = world.add("d", starting: SessionTerms())
    world.run(5 * second)
    #expect(world.programs[1].begun != nil)
  }

  /// Also without the leader: every recording member knows the session's time.
  @Test(arguments: [false, true])
  func `a lost member rejoins the running session`(isLeaderGone: Bool) throws {
    var world = SimulatedRendezvous(seed: 6)
    let key = Token.random()
    _ = world.add("a", starting: SessionTerms(members: 3))
    _ = world.add("b", key: key)
    _ = world.add("c")
    world.run(5 * second)
    let session = try #require(world.programs[2].begun).session
    world.crash(1)
    if isLeaderGone { world.crash(0) }
    world.run(second)
    #expect(world.kept("b")?.state == .lost)
    let stranger = world.add("b")
    world.run(2 * second)
    #expect(world.programs[stranger].lobby.refusal == .nameKept("b"))
    let back = world.add("b", key: key)
    world.run(4 * second)
    #expect(world.programs[back].begun?.session == session)
    #expect(world.programs[2].lobby.announcement?.session == session)
    // Its clock is compared as well as that of the others.
    let estimate = try #require(world.programs[back].lobby.clock.estimate(at: world.clock(back)))
    let truth = world.wallClock(0, at: world.now) - world.clock(back)
    #expect(abs(estimate.offset - truth) <= estimate.uncertainty + 100_000)
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

  @Test func `takes the name of a dead member that the broker still lists`() {
    var world = SimulatedRendezvous(seed: 8)
    var ghost = Member(name: "hall", key: .random(), incarnation: .random())
    world.publish(.presence(ghost))
    let index = world.add("hall")
    world.run(4 * second)
    #expect(world.programs[index].lobby.isInside)
    // Its will comes late, and is overwritten.
    ghost.state = .lost
    world.publish(.presence(ghost))
    world.run(second)
    #expect(world.kept("hall")?.state.isPresent == true)
  }

  @Test func `a member that does not answer delays no other`() {
    var world = SimulatedRendezvous(seed: 11)
    _ = world.add("a", starting: SessionTerms())
    world.run(second)
    var ghost = Member(name: "roof", key: .random(), incarnation: .random())
    ghost.state = .ready
    world.publish(.presence(ghost))
    _ = world.add("b")
    world.run(8 * second)
    #expect(world.programs.allSatisfy { $0.begun == nil })
    world.run(8 * second)
    #expect(world.programs.allSatisfy { $0.begun != nil })
  }

  @Test func `a leader that is there contradicts who takes it for lost`() throws {
    var world = world(12, ["a", "b"])
    world.run(5 * second)
    var lost = world.programs[0].lobby.me
    lost.state = .lost
    world.publish(.presence(lost))
    world.run(second)
    #expect(world.kept("a")?.state == .recording)
    #expect(world.programs[1].lobby.hasLeader(at: world.clock(1)))
  }

  /// A broker that lost its power publishes no will, and its successor knows no member.
  @Test func `a member that went with a broker that forgot is lost`() throws {
    var world = world(13, ["a", "b", "c"])
    world.run(5 * second)
    let session = try #require(world.announcement).session
    world.restartBroker(after: second, forgets: true)
    world.programs[1].isAlive = false
    world.run(10 * second)
    #expect(world.programs[0].lobby.others.mapValues(\.state) == ["b": .lost, "c": .recording])
    // Forgotten messages are repeated.
    #expect(world.announcement?.session == session && world.keptNames == ["a", "c"])
  }

  @Test func `has no more members than its limit`() {
    var world = SimulatedRendezvous(seed: 9)
    for number in 0..<4 { _ = world.add("m\(number)") }
    world.run(2 * second)
    _ = world.add("hall", starting: SessionTerms(members: 3, maxMembers: 3))
    world.run(5 * second)
    #expect(world.programs.count { $0.isAlive } == 3)
    let refusals = world.programs.map(\.lobby.refusal)
    #expect(refusals == [nil, nil, .full(limit: 3), .full(limit: 3), nil])
    let late = world.add("late")
    world.run(2 * second)
    #expect(world.programs[late].lobby.refusal == .full(limit: 3))
  }

  @Test func `remains of an ended session start nothing and hold nothing up`() {
    var world = SimulatedRendezvous(seed: 10)
    var remains = Announcement(
      session: .random(), number: 7, leader: "z", opened: 1_600_000_000 * second, limit: 8)
    remains.start = remains.opened
    world.publish(.announcement(remains))
    _ = world.add("a")
    world.run(4 * second)
    #expect(world.programs[0].begun == nil)
    _ = world.add("b", starting: SessionTerms())
    world.run(5 * second)
    #expect(world.announcement?.number == 8)
    #expect(world.programs.allSatisfy { $0.begun != nil })
  }
}

@Suite("The leader of a lobby") struct RendezvousLeaderTests {
  private let terms = SessionTerms(members: 2)

  private func running(_ seed: UInt64, key: Token = .random()) -> SimulatedRendezvous {
    var world = SimulatedRendezvous(seed: seed)
    _ = world.add("hall", starting: terms, key: key)
    _ = world.add("roof")
    world.run(5 * second)
    return world
  }

  @Test func `is one: another is refused with the name of the leader`() throws {
    var world = running(1)
    let opened = try #require(world.announcement).opened
    let other = world.add("cellar", starting: terms)
    world.run(4 * second)
    #expect(world.programs[other].lobby.refusal == .led(by: "hall", since: opened))
    #expect(world.programs.prefix(2).allSatisfy { $0.lobby.me.state == .recording })
  }

  @Test(arguments: 0..<20)
  func `is one of two that start at once`(seed: UInt64) {
    var world = SimulatedRendezvous(seed: seed)
    for name in ["a", "b"] { _ = world.add(name, starting: terms) }
    world.run(5 * second)
    let leaders = world.programs.filter(\.isAlive)
    #expect(leaders.count == 1)
    #expect(world.announcement?.leader == leaders.first?.lobby.me.name)
    _ = world.add("c")
    world.run(5 * second)
    #expect(world.programs.count { $0.begun != nil } == 2)
  }

  /// The broker lists it as there, as it does after a loss of its own power.
  @Test func `does not block when it is dead, whatever the broker sends`() throws {
    var world = running(2)
    let dead = try #require(world.announcement).session
    let hall = world.programs[0].lobby.me
    world.crash(0)
    world.crash(1)
    world.run(second)
    world.publish(.presence(hall))
    let new = world.add("cellar", starting: terms)
    world.run(2 * second)
    #expect(world.programs[new].lobby.refusal == nil)
    world.run(2 * second)
    #expect(world.announcement?.leader == "cellar" && world.announcement?.session != dead)
  }

  @Test func `that is lost is not succeeded, and comes back as a member`() throws {
    let key = Token.random()
    var world = running(3, key: key)
    let session = try #require(world.announcement).session
    world.crash(0)
    world.run(20 * second)
    #expect(world.programs[1].lobby.me.state == .recording)
    #expect(!world.programs[1].lobby.hasLeader(at: world.clock(1)))
    let stranger = world.add("cellar", starting: terms)
    world.run(4 * second)
    guard case .running(["roof"], since: _)? = world.programs[stranger].lobby.refusal else {
      Issue.record("\(String(describing: world.programs[stranger].lobby.refusal))")
      return
    }
    let back = world.add("hall", starting: terms, key: key)
    world.run(4 * second)
    #expect(world.programs[back].begun?.session == session)
    #expect(!world.programs[back].lobby.isLeading)
  }

  @Test func `opens a new session when no member records the old one`() throws {
    let key = Token.random()
    var world = running(4, key: key)
    let session = try #require(world.announcement).session
    for index in 0..<2 { world.crash(index) }
    world.run(second)
    _ = world.add("hall", starting: terms, key: key)
    _ = world.add("roof")
    world.run(8 * second)
    #expect(world.programs[2].lobby.isLeading)
    #expect(world.programs[3].begun.map { $0.session != session } == true)
  }
}
