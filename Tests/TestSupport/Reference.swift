import Foundation
import Testing

/// The answers of a Python script with numpy, as an independent judge: it finds one array for each
/// row in `rows`, and prints each line of its answer with `answer(numbers...)`.
public func reference(_ script: String, _ rows: [[Double]]) throws -> [[Double]] {
  let scratch = try TemporaryDirectory()
  let lines = rows.map { $0.map { "\($0)" }.joined(separator: " ") }
  let path = try scratch.write(lines.joined(separator: "\n"), to: "rows")
  let prelude = """
    import sys
    import numpy as np
    rows = [np.array([float(word) for word in line.split()]) for line in open(sys.argv[1])]
    def answer(*numbers): print(*(repr(float(x)) for x in numbers))

    """
  let result = try runPython(prelude + script, [path])
  try #require(result.exitCode == 0, "\(result.error)")
  return try result.output.split(separator: "\n").map { line in
    try line.split(separator: " ").map { word in try #require(Double(word)) }
  }
}
