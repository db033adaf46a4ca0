import ArgumentParser

struct RegistryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "registry",
    abstract: "Manage a table of beacons: identities, names, positions, measured powers.",
    discussion: """
      Other stages print the beacon names of the stored registry; --registry FILE selects another, \
      --registry none disables it. It is stored in $RSSI_REGISTRY, else in \
      $XDG_DATA_HOME/rssi/registry.json, else in ~/.local/share/rssi/registry.json.

      EXAMPLES:
        rssi registry import nodes.csv -o beacons.json
        rssi registry check beacons.json
        rssi registry list --registry beacons.json
      """,
    subcommands: [
      RegistryPullCommand.self, RegistryImportCommand.self, RegistryCheckCommand.self,
      RegistryListCommand.self, RegistryWhereCommand.self,
    ])
}
