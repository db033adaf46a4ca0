import LivePipelines

/// Tells a person who comes, who is ready and who goes.
struct LobbyRoll {
  private let reporting: ReportingOptions
  private var known: [String: Member.State] = [:]
  private var leader: String?

  init(_ reporting: ReportingOptions) { self.reporting = reporting }

  mutating func tell(_ lobby: Lobby) {
    guard lobby.isInside else { return }
    for member in lobby.others.values.sorted(by: { $0.name < $1.name })
    where known[member.name] != member.state {
      // Who was gone before one came is nobody's news.
      if known[member.name] != nil || member.state.isPresent {
        let isSilent = member.state == .lost && lobby.silent.contains(member.incarnation)
        reporting.note(
          "\(member.name): "
            + "\(isSilent ? "does not answer, and counts as lost" : words(member.state))"
        )
      }
      known[member.name] = member.state
    }
    if let name = lobby.leader?.name, lobby.leader?.isSynchronised == true, name != leader {
      reporting.note(name == lobby.me.name ? "this member leads" : "\(name) leads")
      leader = name
    }
  }

  private func words(_ state: Member.State) -> String {
    switch state {
    case .joining: "has come"
    case .ready: "ready"
    case .recording: "records"
    case .handing: "has recorded"
    case .left: "left"
    case .lost: "lost"
    }
  }
}
