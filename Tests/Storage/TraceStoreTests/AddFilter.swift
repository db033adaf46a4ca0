import Sightings
import TraceStore

/// Adds levels under a filter's name to a trace, in two blocks.
func addFilter(
  _ name: String, _ levels: [Float], to path: String, output: String? = nil,
  links: [FilteredLink] = []
) throws {
  var writer = try FilteredWriter(
    copying: try TraceReader(path: path), to: output ?? path, name: name, chain: "\(name) in words",
    provenance: Provenance(
      stage: "filter", toolVersion: "1.2.3", commandLine: "rssi filter --filter \(name)", inputs: []
    ))
  let half = levels.count / 2
  for part in [levels[..<half], levels[half...]] {
    try writer.append(rssi: Array(part), variance: part.map { $0.isNaN ? .nan : 1 })
  }
  try writer.finish(links: links)
}
