package import Capture
package import Support

/// Whether this machine can record, and what to do where it cannot.
package struct DoctorRequest: Sendable {
  /// A broker to reach: `mqtt://[USER@]HOST[:PORT]`, or `mqtts://` for TLS.
  package var broker: String?
  package var options = GatewayOptions()
  /// Seconds that the broker may take.
  package var patience = 5.0

  package init() {}

  /// Checks everything that recording needs, in the order in which it has to be put right.
  ///
  /// - Throws: `RSSIError` of kind `usage` for a broker that is not an address.
  package func checks(_ probes: MachineProbes) throws(RSSIError) -> [MachineCheck] {
    // Before a program is run that would be found among them.
    let scanners = probes.otherPrograms
    var checks =
      [
        probes.adapter, probes.rfkill, probes.capabilities, probes.kernelCheck, probes.bluez,
        scanners, probes.clockCheck,
      ] + probes.pictures + [probes.libraryVersions, probes.diskSpace]
    if let broker {
      checks.append(try brokerCheck(broker, options, patience: patience, clock: probes.clock))
    }
    return checks
  }
}
