import ArgumentParser
import Filtering
import Sightings
import TraceStore

struct FilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Filter levels link by link, in real time.",
    discussion: """
      kalman:q=0.5,r=9   random walk; q in dB²/s, r in dB²; estimated if left out
      median:window=2s   median over a window of time

      Several filters make a chain. The result is a copy of the trace with the levels added under \
      /filtered/NAME; a stream (-) goes in and out as NDJSON.
      """)

  @Argument(help: "A trace, or - for NDJSON on standard input.")
  var input: String

  @Option(name: .shortAndLong, help: "The trace to write; may be the input itself.")
  var output: String?

  @Option(name: .shortAndLong, help: "A filter; several make a chain.")
  var filter: [String] = ["kalman"]

  @Option(help: "Name of the levels in the file (default: the filters' names joined by +).")
  var name: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let chain = try filter.map { text throws(FilterSpecification.Malformed) in
      try FilterSpecification(text)
    }
    let name = self.name ?? chain.map(\.name).joined(separator: "+")
    guard !name.isEmpty, !name.contains("/"), name != "." else {
      throw Failure(Failure.usage, "the name \"\(name)\" cannot be a group in the file: leave out slashes")
    }
    if input == "-" {
      guard output == nil || output == "-" else {
        throw Failure(Failure.usage, "a stream is filtered into a stream: leave -o out, or import it first")
      }
      guard !reporting.json else { throw Failure(Failure.usage, "--json reports on a trace, not on a stream") }
      try FilteredStream(chain: chain, note: reporting.note).run()
      return
    }
    guard let output, output != "-" else {
      throw Failure(Failure.usage, "name the trace to write with -o; it may be the input itself")
    }
    try filterTrace(chain, name: name, to: output)
  }

  private func filterTrace(_ chain: [FilterSpecification], name: String, to output: String) throws {
    let reader = try TraceReader(path: input)
    var writer = try FilteredWriter(
      copying: reader, to: output, name: name, chain: filter.joined(separator: " "),
      provenance: provenance(of: "filter", inputs: [input]))
    let links = LinkIndex(reader.catalogue)
    let noise = try NoiseByLink(reader, links, chain)
    for warning in noise.notes { reporting.note(warning) }

    var filters: [LinkFilter?] = []
    var keys: [(beacon: UInt32, receiver: UInt16)] = []
    var progress = Progress("filter", total: reader.count, quiet: reporting.quiet)
    var done = 0
    var backwards = 0
    var lastTimes: [Int64] = []
    var index = links
    var levels: [Float] = []
    var variances: [Float] = []
    try reader.forEachBlock([.time, .link, .rssi]) { rows in
      levels.removeAll(keepingCapacity: true)
      variances.removeAll(keepingCapacity: true)
      for row in 0..<rows.count {
        let (link, isNew) = index.number(rows, row)
        if isNew {
          filters.append(nil)
          keys.append((rows.beacon[row], rows.receiver[row]))
          lastTimes.append(.min)
        }
        if rows.time[row] < lastTimes[link] { backwards += 1 }
        lastTimes[link] = max(lastTimes[link], rows.time[row])
        guard !rows.rssi[row].isNaN else {
          levels.append(.nan)
          variances.append(.nan)
          continue
        }
        if filters[link] == nil { filters[link] = LinkFilter(noise.stages(of: keys[link])) }
        let result =
          filters[link]?.update(time: rows.time[row], rssi: Double(rows.rssi[row]))
          ?? FilteredLevel(rssi: .nan, variance: .nan)
        levels.append(Float(result.rssi))
        variances.append(Float(result.variance))
      }
      try writer.append(rssi: levels, variance: variances)
      done += rows.count
      progress.update(done)
    }
    progress.finish()
    if backwards > 0 {
      reporting.note(
        "\(backwards) of \(reader.count) sightings are earlier than the one before them on their link; filters take them as simultaneous: sort the input by time"
      )
    }
    let results = summarise(filters, keys)
    try writer.finish(links: results)
    try report(results, reader.catalogue, name, output)
  }

  /// One result a link, over its traces: a filter starts anew in each trace, its link does not.
  private func summarise(
    _ filters: [LinkFilter?], _ keys: [(beacon: UInt32, receiver: UInt16)]
  ) -> [FilteredLink] {
    var results: [FilteredLink] = []
    var places: [UInt64: Int] = [:]
    for (filter, key) in zip(filters, keys) {
      let packed = UInt64(key.receiver) << 32 | UInt64(key.beacon)
      let kalman = filter?.kalman
      if let place = places[packed] {
        results[place].samples += filter?.samples ?? 0
        results[place].logLikelihood += kalman?.logLikelihood ?? 0
        if results[place].q.isNaN { (results[place].q, results[place].r) = (kalman?.q ?? .nan, kalman?.r ?? .nan) }
      } else {
        places[packed] = results.count
        results.append(
          FilteredLink(
            beacon: key.beacon, receiver: key.receiver, samples: filter?.samples ?? 0,
            q: kalman?.q ?? .nan, r: kalman?.r ?? .nan,
            logLikelihood: kalman?.logLikelihood ?? .nan))
      }
    }
    return results
  }

  private func report(
    _ links: [FilteredLink], _ catalogue: Catalogue, _ name: String, _ output: String
  ) throws {
    if reporting.json {
      let list = links.map { link -> JSONValue in
        .object([
          "beacon": .string(catalogue.beacons[Int(link.beacon)].id),
          "receiver": .string(catalogue.receivers[Int(link.receiver)].id),
          "samples": .integer(Int(link.samples)), "q": .optional(link.q), "r": .optional(link.r),
          "log_likelihood": .optional(link.logLikelihood),
        ])
      }
      try StandardOutput.write(jsonText(JSONValue.object(["name": .string(name), "links": .array(list)])))
      return
    }
    try StandardOutput.write("\(output): /filtered/\(name), \(links.count) links\n")
    var rows = [["beacon", "receiver", "samples", "q dB²/s", "r dB²"]]
    for link in links.prefix(20) {
      rows.append([
        catalogue.beacons[Int(link.beacon)].id, catalogue.receivers[Int(link.receiver)].id,
        String(link.samples), decimal(link.q, 3), decimal(link.r, 2),
      ])
    }
    try StandardOutput.write(aligned(rows))
    if links.count > 20 { try StandardOutput.write("… and \(links.count - 20) more; --json has all\n") }
  }
}
