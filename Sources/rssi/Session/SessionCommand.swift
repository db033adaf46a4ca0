import ArgumentParser

struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Record with several receivers together, over an MQTT broker.",
    discussion: """
      Members meet in a lobby, see who is there, compare their clocks, start at one instant and stop \
      together; each records a part of its own, and the parts are merged into one trace.
      """,
    subcommands: [
      SessionJoinCommand.self, SessionWhoCommand.self, SessionStopCommand.self,
      SessionMergeCommand.self,
    ])
}
