import ArgumentParser
import Glibc
import Registries
import Reporting
import Sightings
import Support
import TraceStore

struct RegistryPullCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Fetch a registry over HTTP or HTTPS and store it.",
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
    let old = try readOld(path)
    guard let address = try (url ?? old?.source?.url).map(RegistryAddress.init) else {
      throw RSSIError(
        .usage, "nothing says where \(path) came from: give the address of the list")
    }
    var request = RegistryRequest(address)
    request.timeout = patience
    request.maximumBytes = Int(limit)
    request.agent = "rssi/\(ToolIdentity.program.version)"
    request.token = getenv(SecretVariable.registryToken).map { String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
    if let source = old?.source, source.url == address.shown {
      request.etag = source.etag
      request.lastModified = source.lastModified
    }
    do {
      let update = try RegistryUpdate(
        try request.send(), from: address, to: old, fetched: SystemClock.now,
        log: reporting.log)
      if let document = update.document { try writeOutput(document.text, to: path) }
      try reporting.report(update.json(at: path, from: address), text: update.text(at: path))
    } catch {
      guard var failure = RSSIError(error), failure.kind != .usage, old != nil else {
        throw error
      }
      failure.advice = [failure.advice, "\(path) is unchanged"].compactMap(\.self)
        .joined(separator: "; ")
      throw failure
    }
  }

  /// What is kept there; nil for nothing, and for what is damaged and to be replaced.
  private func readOld(_ path: String) throws -> RegistryDocument? {
    guard KeptRegistry.exists(path) else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw RSSIError(
        .usage, "\(path) is no file that could be kept up to date: name another with -o")
    }
    do {
      return try RegistryDocument(path: path)
    } catch {
      guard let failure = RSSIError(error), failure.kind == .badInput else { throw error }
      reporting.warn("the kept registry cannot be read and will be replaced: \(failure)")
      return nil
    }
  }
}
