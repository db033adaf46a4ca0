import Plotting
import Support

/// Writes a text to a file that appears under its name only when it is whole; - is standard output.
func writeOutput(_ text: String, to path: String) throws {
  try writeOutput(to: path) { write in try write(text) }
}

/// Draws a chart into a file of the format that its name ends in; it appears only when it is whole.
func writeOutput(_ chart: Chart, to path: String) throws {
  try writeWhole(chart.picture(PictureFormat(path: path)), to: path)
}

/// Passes a function that writes text piece by piece, as `writeOutput(_:to:)` writes it.
func writeOutput(to path: String, _ body: ((String) throws -> Void) throws -> Void) throws {
  guard path != "-" else { return try body { try StandardOutput.write($0) } }
  try writeWhole(to: path, body)
}
