/// Capital letters five dots high, two of them in a character where the terminal has half blocks.
struct BigText {
  let lines: [String]

  init(_ text: String, isUnicode: Bool) {
    let dots = (0..<5).map { row in
      text.map { Self.letters[$0]?[row] ?? "  " }.joined(separator: " ").map { $0 == "#" }
    }
    guard isUnicode else {
      lines = dots.map { String($0.map { $0 ? "#" : " " }) }
      return
    }
    lines = stride(from: 0, to: 5, by: 2).map { row in
      String(
        dots[row].indices.map { column -> Character in
          switch (dots[row][column], row < 4 && dots[row + 1][column]) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }

  var columns: Int { lines.map(\.count).max() ?? 0 }

  /// Those that the words of a search need.
  private static let letters: [Character: [String]] = [
    "A": [" ## ", "#  #", "####", "#  #", "#  #"], "C": [" ###", "#   ", "#   ", "#   ", " ###"],
    "D": ["### ", "#  #", "#  #", "#  #", "### "], "E": ["####", "#   ", "### ", "#   ", "####"],
    "G": [" ###", "#   ", "# ##", "#  #", " ###"], "H": ["#  #", "#  #", "####", "#  #", "#  #"],
    "I": ["###", " # ", " # ", " # ", "###"], "L": ["#   ", "#   ", "#   ", "#   ", "####"],
    "M": ["#   #", "## ##", "# # #", "#   #", "#   #"],
    "N": ["#   #", "##  #", "# # #", "#  ##", "#   #"],
    "O": [" ## ", "#  #", "#  #", "#  #", " ## "], "R": ["### ", "#  #", "### ", "# # ", "#  #"],
    "S": [" ###", "#   ", " ## ", "   #", "### "],
    "T": ["#####", "  #  ", "  #  ", "  #  ", "  #  "],
    "U": ["#  #", "#  #", "#  #", "#  #", " ## "],
    "W": ["#   #", "#   #", "# # #", "## ##", "#   #"],
  ]
}
