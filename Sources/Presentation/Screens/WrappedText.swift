/// Text in lines of a width, broken between words, or within one that is too long for a line.
func wrapped(_ text: String, to width: Int) -> [String] {
  guard width > 0 else { return [] }
  var lines = [""]
  for word in text.split(separator: " ") {
    var rest = PrintableText(String(word)).elements[...]
    let columns = rest.reduce(0) { $0 + $1.columns }
    let taken = PrintableText(lines[lines.count - 1]).columns
    if taken > 0 {
      if taken + 1 + columns <= width { lines[lines.count - 1] += " " } else { lines.append("") }
    }
    var room = width - PrintableText(lines[lines.count - 1]).columns
    while let next = rest.popFirst() {
      if next.columns > room {
        lines.append("")
        room = width
      }
      lines[lines.count - 1] += next.text
      room -= next.columns
    }
  }
  return lines
}
