import Sightings
public import Support

/// The changes between a stored registry and a server's answer.
public struct RegistryUpdate: Sendable {
  /// The outcome of a fetch.
  public enum Result: String, Sendable { case unchanged, new, updated }

  /// The outcome of the fetch.
  public let result: Result
  /// The updated registry.
  public let registry: Registry
  /// The number of rejected entries.
  public private(set) var refused = 0
  /// The number of beacons that are new.
  public let added: Int
  /// The number of beacons that were removed.
  public let removed: Int
  /// The number of beacons whose entry differs.
  public let changed: Int
  /// The document to store; `nil` if nothing changed.
  public private(set) var document: RegistryDocument?

  /// Compares an answer with the stored registry.
  ///
  /// - Parameters:
  ///   - old: The stored registry; `nil` if there is none.
  ///   - fetched: The time of the answer, in nanoseconds since the Unix epoch.
  /// - Throws: `RSSIError` of kind `badInput` for a list that cannot be stored: without a beacon,
  ///   or with more rejected entries than others.
  public init(
    _ answer: DownloadAnswer, from address: WebAddress, to old: RegistryDocument?,
    fetched: Int64, log: any ActivityLog
  ) throws {
    let before = old?.registry ?? Registry()
    if let new = try Self.document(answer, from: address, to: old, fetched: fetched, log: log) {
      (document, refused) = new
    }
    registry = document?.registry ?? before
    let after = registry
    added = after.beacons.count { before[$0.identity] == nil }
    removed = before.beacons.count { after[$0.identity] == nil }
    changed = after.beacons.count {
      before[$0.identity].map { [beacon = $0] in $0 != beacon } ?? false
    }
    result = document == nil ? .unchanged : old == nil ? .new : .updated
  }

  private static func document(
    _ answer: DownloadAnswer, from address: WebAddress, to old: RegistryDocument?,
    fetched: Int64, log: any ActivityLog
  ) throws -> (RegistryDocument, refused: Int)? {
    guard case .content(let bytes, let etag, let lastModified) = answer else { return nil }
    var source = RegistrySource(
      url: address.shown, fetched: Timestamp.iso8601(fetched), sha256: sha256(bytes.span))
    source.etag = etag
    source.lastModified = lastModified
    if let known = old?.source, known.url == source.url, known.sha256 == source.sha256,
      known.etag == etag, known.lastModified == lastModified
    {
      return nil
    }
    let answered = try RegistryDocument(json: bytes, name: "the answer of \(address.shown)")
    let entries = answered.beacons.count
    if let refusals = answered.refusals {
      guard answered.refused.count <= entries else {
        throw RSSIError(
          .badInput,
          "\(answered.refused.count) of the \(entries + answered.refused.count) entries of "
            + "\(address.shown) cannot be read: \(refusals)"
        )
      }
      log.note("left out \(refusals)")
    }
    guard entries > 0 else {
      throw RSSIError(.badInput, "the list of \(address.shown) has no beacon")
    }
    if let doubts = answered.doubts { log.warn("the list of \(address.shown): \(doubts)") }
    if answered.cleaned > 0 {
      log.note("removed control characters; entries: \(answered.cleaned)")
    }
    var document = RegistryDocument(answered.registry.beacons)
    if document.beacons.count < entries {
      let repeated = entries - document.beacons.count
      log.note("duplicate entries of a beacon: \(repeated); the last counts")
    }
    document.source = source
    return (document, answered.refused.count)
  }
}
