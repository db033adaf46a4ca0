import Advertising
import Crypto
import Glibc
import Registries
import Screens
import Sightings
import Support

/// Judges what a server answered, and keeps it where it is a list.
struct RegistryPull {
  let path: String
  let address: RegistryAddress
  let old: RegistryDocument?
  let reporting: ReportingOptions

  /// - Throws: a `RSSIError` where nothing was kept.
  func keep(_ answer: RegistryAnswer) throws {
    guard case .list(let bytes, let etag, let lastModified) = answer else { return try report(nil) }
    var source = RegistrySource(
      url: address.shown, fetched: Timestamp.iso8601(now()),
      sha256: hexadecimal(SHA256.hash(data: bytes)))
    source.etag = etag
    source.lastModified = lastModified
    if let known = old?.source, known.url == source.url, known.sha256 == source.sha256,
      known.etag == etag, known.lastModified == lastModified
    {
      return try report(nil)
    }
    var document = try RegistryDocument(json: bytes, name: "the answer of \(address.shown)")
    let entries = document.beacons.count
    if let refusals = document.refusals {
      guard document.refused.count <= entries else {
        throw RSSIError(
          .badInput,
          "\(document.refused.count) of the \(entries + document.refused.count) entries of "
            + "\(address.shown) cannot be read: \(refusals)"
        )
      }
      reporting.note("left out \(refusals)")
    }
    guard entries > 0 else {
      throw RSSIError(.badInput, "the list of \(address.shown) has no beacon")
    }
    if document.cleaned > 0 {
      reporting.note("left out characters that steer a terminal; entries: \(document.cleaned)")
    }
    let refused = document.refused.count
    document = RegistryDocument(document.registry.beacons)
    if document.beacons.count < entries {
      let repeated = entries - document.beacons.count
      reporting.note("entries of a beacon that comes again: \(repeated); the last counts")
    }
    document.source = source
    try writeOutput(document.text, to: path)
    try report(document, refused: refused)
  }

  /// - Parameter new: what was kept; nil = nothing changed.
  private func report(_ new: RegistryDocument?, refused: Int = 0) throws {
    let before = old?.registry ?? Registry()
    let after = new?.registry ?? before
    let added = after.beacons.count { before[$0.identity] == nil }
    let removed = before.beacons.count { after[$0.identity] == nil }
    let changed = after.beacons.count {
      before[$0.identity].map { [beacon = $0] in $0 != beacon } ?? false
    }
    let result = new == nil ? "unchanged" : old == nil ? "new" : "updated"
    if reporting.json {
      return try StandardOutput.write(
        jsonText(
          JSONValue.object([
            "path": .string(path), "url": .string(address.shown), "result": .string(result),
            "beacons": .integer(after.beacons.count), "refused": .integer(refused),
            "added": .integer(added), "removed": .integer(removed), "changed": .integer(changed),
          ])))
    }
    var text = "\(path.printable): \(counted(after.beacons.count, "beacon")), \(result)"
    if result == "updated" { text += ": \(added) added, \(removed) removed, \(changed) changed" }
    try StandardOutput.show(text + "\n")
  }

  private func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * Timestamp.second
  }

  private func hexadecimal(_ digest: SHA256.Digest) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
