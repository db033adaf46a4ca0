import ArgumentParser

/// Options of every stage that reports.
struct ReportingOptions: ParsableArguments {
  @Flag(help: "Report as one JSON document on standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Say nothing on standard error but errors.")
  var quiet = false

  /// Says something to a person, on standard error.
  func note(_ text: String) {
    if !quiet { StandardError.write(text + "\n") }
  }
}
