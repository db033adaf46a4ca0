import Glibc
public import Registries
import Sightings
import Support
import TraceStore

/// A registry to fetch from a server.
public struct RegistryPullRequest: Sendable {
  /// The address of the list; `nil` for that of the stored registry.
  public var url: String?
  /// The file of the stored registry, which is replaced.
  public var output: String
  /// The longest time for the whole response.
  public var timeout: Duration = .seconds(30)
  /// The maximum number of bytes of the decompressed response.
  public var maximumBytes = RegistryLimits.bytes
  /// The identity of the user, for the server alone.
  public var token: String?

  /// Creates a request to fetch a registry; a nil URL stands for the one it was fetched from
  /// before.
  public init(_ url: String?, to output: String) { (self.url, self.output) = (url, output) }
}

/// The changes of a stored registry.
public struct RegistryPullResult: Sendable {
  /// The changes.
  public var update: RegistryUpdate
  /// The address that the registry was fetched from.
  public var address: WebAddress
}

/// Fetches a registry and stores it, if it has changed.
public struct RegistryPullStage: Stage {
  private let request: RegistryPullRequest

  public init(_ request: RegistryPullRequest) { self.request = request }

  /// Fetches the registry and stores it, if it has changed.
  ///
  /// - Throws: `RSSIError` for a server that does not answer, and for a list that cannot be used;
  ///   the stored registry is unchanged then.
  public func perform(in context: StageContext) throws -> RegistryPullResult {
    let path = request.output
    let old = try stored(context)
    guard let address = try (request.url ?? old?.source?.url).map(WebAddress.init) else {
      throw RSSIError(
        .usage, "\(path) has no address to fetch from: give the address of the list")
    }
    do {
      let update = try RegistryUpdate(
        try fetched(address, old?.source, agent: "rssi/\(context.tool.version)").send(),
        from: address, to: old, fetched: SystemClock.now, log: context.log)
      if let document = update.document { try writeWhole(Array(document.text.utf8), to: path) }
      return RegistryPullResult(update: update, address: address)
    } catch let error as RSSIError {
      guard error.kind != .usage, old != nil else { throw error }
      var failure = error
      failure.advice = [failure.advice, "\(path) is unchanged"].compactMap(\.self)
        .joined(separator: "; ")
      throw failure
    }
  }

  private func fetched(
    _ address: WebAddress, _ source: RegistrySource?, agent: String
  ) -> DownloadRequest {
    var fetched = DownloadRequest(address)
    (fetched.timeout, fetched.maximumBytes) = (request.timeout, request.maximumBytes)
    (fetched.agent, fetched.token) = (agent, request.token)
    if let source, source.url == address.shown {
      (fetched.etag, fetched.lastModified) = (source.etag, source.lastModified)
    }
    return fetched
  }

  /// Returns the stored registry; `nil` for none, and for one that is damaged and to be replaced.
  private func stored(_ context: StageContext) throws -> RegistryDocument? {
    guard access(request.output, F_OK) == 0 else { return nil }
    do {
      return try RegistryDocument(path: request.output)
    } catch let error as RSSIError {
      guard error.kind == .badInput else { throw error }
      context.log.warn("the stored registry cannot be read and will be replaced: \(error)")
      return nil
    }
  }
}
