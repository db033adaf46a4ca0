import Support

/// The frame of a page that needs nothing else: no network, no library, no server.
///
/// A policy in its head forbids every request and every script but its own.
struct ReportPage {
  /// The version of the program that makes the page.
  let version: String
  /// The kind of page, such as `Positioning evaluation`.
  let kicker: String
  let title: String
  /// The content below the title.
  let summary: HTML
  let sections: [PageSection]
  /// The data of the script.
  let data: JSONWriter
  /// The script of this kind of page, behind that of all pages.
  let script: [UInt8]

  /// The page; the same content gives the same bytes.
  var text: String {
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-rssi'; style-src 'nonce-rssi'; img-src data:">
      <meta name="generator" content="rssi \(version)">
      <title>\(title) – \(kicker.lowercased())</title>
      <link rel="icon" href="data:,">
      <style nonce="rssi">\(Self.style)</style>
      </head>
      <body>
      <a class="skip" href="#\(sections.first?.name ?? "")">Skip to the \(sections.first?.short.lowercased() ?? "")</a>
      <header>
      <p class="kicker">\(kicker)</p>
      <h1>\(HTML.name(title))</h1>
      \(summary)</header>
      <nav aria-label="Sections"><ul>\(sections.map(\.link))</ul></nav>
      <main>
      \(sections.map(\.html))</main>
      <footer><p>Made by rssi \(version). This file needs no network and holds all its data.</p></footer>
      <script type="application/json" id="data" nonce="rssi">\(HTML(trusted: data.text))</script>
      <script nonce="rssi">\(HTML(trusted: "\n" + String(decoding: PackageResources.page_js, as: UTF8.self)))</script>
      <script nonce="rssi">\(HTML(trusted: "\n" + String(decoding: script, as: UTF8.self)))</script>
      </body>
      </html>

      """
    return page.text
  }

  /// Facts in a row below a title.
  static func facts(_ facts: [(String, String)]) -> HTML {
    "<dl class=\"facts\">\(facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as HTML })</dl>\n"
  }

  /// The palette's rules, then page.css.
  static let style = HTML(
    trusted: "\n" + PagePalette.style + "\n\n"
      + String(decoding: PackageResources.page_css, as: UTF8.self))
}

/// A part of the page with a heading of its own.
struct PageSection {
  /// Its place in the address, such as `leaderboard`.
  var name: String
  var heading: String
  /// The heading in the list of sections.
  var short: String
  /// An introduction of one or two sentences.
  var introduction: HTML
  var content: HTML
  /// A Boolean value that is true if it is closed until the reader asks for it.
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
      introduction: "The command that made this page. The same input gives the same bytes.",
      content: "<pre class=\"command\"><code>\(commandLine)</code></pre>\n")
  }
}
