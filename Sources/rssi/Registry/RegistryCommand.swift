import ArgumentParser

struct RegistryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "registry",
    abstract: "Keep a table of beacons: who they are, where they hang, how strong they are.",
    discussion: """
      The kept registry gives beacons their names in what other stages print; --registry FILE names \
      another, --registry none does without. It is kept in $RSSI_REGISTRY, else in \
      $XDG_DATA_HOME/rssi/registry.json, else in ~/.local/share/rssi/registry.json.
      """,
    subcommands: [
      RegistryPullCommand.self, RegistryImportCommand.self, RegistryCheckCommand.self,
      RegistryListCommand.self, RegistryWhereCommand.self,
    ])
}
