import ArgumentParser
import Glibc
import Registries
import Reporting
import Support
import TracePipelines

struct RegistryPullCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Fetch a registry over HTTP or HTTPS and store it.",
    usage: "rssi registry pull [<options>] [<url>]",
    discussion: """
      The registry is stored for use offline. If the server sends ETag or Last-Modified, an unchanged \
      list is not downloaded again. An invalid response (exit code 65) or none (69) leaves the stored \
      registry unchanged. A token in RSSI_REGISTRY_TOKEN is sent as a bearer token; neither the token \
      nor a password in the URL is stored or printed.

      EXAMPLES:
        rssi registry pull https://example.org/beacons.json
        rssi registry pull https://example.org/beacons.json -o beacons.json
      """)

  @Argument(
    help: ArgumentHelp(
      "URL of the list (default: the URL of the stored registry).", valueName: "url"))
  var url: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Registry to write (default: the stored registry).", valueName: "file"),
    completion: .file())
  var output: OutputPath?

  @Option(help: ArgumentHelp("Time limit for the whole response.", valueName: "time"))
  var timeout = "30s"

  @Option(
    help: ArgumentHelp(
      "Maximum size of the uncompressed response; at most 64MiB.", valueName: "size"))
  var maxSize = "64MiB"

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let patience = try time(timeout, "--timeout")
    guard let limit = byteSize(maxSize), limit <= UInt64(RegistryLimits.bytes) else {
      throw RSSIError(
        .usage, "--max-size \(maxSize): write a size such as 500KB or 10MB, at most 64MiB")
    }
    let path = try KeptRegistry.place(output?.path)
    // An output that is named is checked with the options.
    if output == nil { try AtomicFile.check(path: path) }
    try requireFile(path)
    var request = RegistryPullRequest(url, to: path)
    (request.timeout, request.maximumBytes) = (patience, Int(limit))
    request.token = getenv(SecretVariable.registryToken).map { String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
    let result = try RegistryPullStage(request).run(in: reporting.context)
    try reporting.report(result.json(at: path), text: result.text(at: path))
  }

  /// Refuses to replace anything other than a file.
  private func requireFile(_ path: String) throws(RSSIError) {
    var status = stat()
    guard KeptRegistry.exists(path) else { return }
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw RSSIError(
        .usage, "\(path) is not a regular file: name another with -o")
    }
  }
}
