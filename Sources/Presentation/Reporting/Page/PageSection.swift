/// A part of the page with a heading of its own.
struct PageSection {
  /// Its place in the address, such as `leaderboard`.
  var name: String
  var heading: String
  /// The heading in the list of sections.
  var short: String
  /// What one reads here, in a sentence or two.
  var introduction: HTML
  var content: HTML
  /// Whether it is closed until the reader asks for it.
  var isFolded = false

  var link: HTML { "<li><a href=\"#\(name)\">\(short)</a></li>" }

  var html: HTML {
    let title: HTML = "<h2 id=\"\(name)-heading\">\(heading)</h2>"
    let body: HTML = "<p class=\"introduction\">\(introduction)</p>\n\(content)"
    let folded: HTML =
      "<details class=\"section\"><summary>\(title)</summary>\n\(body)</details>"
    let open: HTML = "\(title)\n\(body)"
    return """
      <section id="\(name)" aria-labelledby="\(name)-heading">
      \(isFolded ? folded : open)</section>

      """
  }

  /// The command that made a page.
  static func provenance(_ commandLine: String) -> PageSection {
    PageSection(
      name: "provenance", heading: "Provenance", short: "Provenance",
      introduction: "What this page was made with: the same input gives the same bytes.",
      content: "<pre class=\"command\"><code>\(commandLine)</code></pre>\n")
  }
}
