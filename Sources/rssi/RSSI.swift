import ArgumentParser

@main
struct RSSI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rssi", abstract: "Bluetooth LE signal strength, from advertisements to positions.")
}
