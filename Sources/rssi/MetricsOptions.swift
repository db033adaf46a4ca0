import ArgumentParser
import LivePipelines
import Reporting
import Serving
import Support
import TracePipelines
import TraceStore

/// The address for metrics of a stage that runs until it is stopped.
struct MetricsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Serve Prometheus metrics at http://HOST:PORT/metrics (default host: 127.0.0.1; port 0: a free one).",
      valueName: "host:port"))
  var metrics: String?

  /// Starts the server before anything else is opened; returns nil without the option.
  ///
  /// - Parameter source: the input of the stage.
  func serve(
    _ stage: String, of source: String, _ messages: MessageOptions
  ) throws -> ServedMetrics? {
    guard let metrics else { return nil }
    let place =
      UInt16(metrics).map { HostAndPort(host: "127.0.0.1", port: $0) } ?? HostAndPort(metrics)
    guard let place else {
      throw RSSIError(
        .usage, "--metrics \(metrics) is not an address: write HOST:PORT, such as 127.0.0.1:9464")
    }
    let served = try ServedMetrics(at: place, stage: stage, source: source)
    messages.log.note("metrics: \(served.url)")
    return served
  }

  /// Refuses the option if the stage ends by itself.
  func refuse(_ stage: String) throws {
    try refuseWhereItEnds("--metrics", metrics, stage)
  }
}

/// Refuses an option of stages that run until they are stopped.
func refuseWhereItEnds(_ option: String, _ value: String?, _ stage: String) throws {
  guard value != nil else { return }
  throw RSSIError(.usage, "\(option) is for a stage that runs until it is stopped, but \(stage)")
}

/// The board that a stage publishes on, and the server that shows it.
struct ServedMetrics {
  let board: MetricsBoard
  private let server: WebServer

  init(at place: HostAndPort, stage: String, source: String) throws {
    let board = MetricsBoard()
    let page = MetricsPage(
      stage: stage, source: source, build: ToolIdentity.build, start: SystemClock.now)
    server = try WebServer(
      place, names: Self.names(of: place),
      pages: [
        "/metrics": {
          WebAnswer(
            page.text(board.current, at: SystemClock.monotonic), type: MetricsPage.contentType)
        }
      ])
    self.board = board
  }

  /// The given host name, and the names of this machine, which a scraper may use.
  private static func names(of place: HostAndPort) -> Set<String> {
    let machine = hostName().lowercased()
    return [place.host.lowercased(), machine, machine + ".local"]
  }

  /// The address, such as `http://127.0.0.1:9464/metrics`.
  var url: String { "\(server.url)/metrics" }

  /// Ends the server.
  func end() { server.stop() }
}

extension LiveContext {
  /// The same, with the metrics that the engine publishes.
  func publishing(on board: MetricsBoard?) -> LiveContext {
    var context = self
    context.board = board
    return context
  }
}
