import ArgumentParser
import LivePipelines
import Plotting
import Reporting
import Support
import TracePipelines

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check whether this machine can record, and show how to fix it.",
    usage: "rssi doctor [<options>]",
    discussion: """
      Checks the Bluetooth adapter, rfkill, capabilities, kernel and BlueZ, other programs that scan, \
      clock synchronisation, gnuplot, rsvg-convert, libraries, free disk space and, with --broker, an MQTT broker. \
      Changes nothing. Each check is ok, warning, problem or unknown. Exit code: 0 without problems, \
      1 with any.

      EXAMPLES:
        rssi doctor
        rssi doctor --broker mqtt://broker.local
        rssi doctor --json | jq -r '.checks[] | select(.state != "ok")'
      """)

  @Option(
    help: ArgumentHelp(
      "Broker to connect to: mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS.", valueName: "url"))
  var broker: String?

  @OptionGroup var login: LoginOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var request = DoctorRequest()
    request.broker = broker
    login.set(&request.options)
    let report = DoctorReport(
      try DoctorStage(request).run(in: MachineProbes(drawingProgram: drawingProgramPath)))
    if reporting.json {
      try StandardOutput.write(jsonText(report.json))
    } else {
      let terminal = OutputTerminal()
      try StandardOutput.draw(
        report.text(
          isUnicode: terminal.isUnicode, isColoured: terminal.canDraw && terminal.isColoured))
    }
    let problems = report.count(.problem)
    guard problems == 0 else {
      throw RSSIError(
        .failed, "\(counted(problems, "problem")) found: apply the advice above, then run again")
    }
  }
}
