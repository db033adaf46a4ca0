import Proximity
import Screens
import Testing

struct PainterTests {
  private let size = ScreenSize(columns: 100, rows: 20)

  @Test func `sends only the lines that changed`() {
    var painter = Painter(isColoured: true)
    var screen = sampleScreen()
    let first = painter.paint(screen.canvas(size.columns, size.rows))
    #expect(first.hasPrefix("\u{1B}[0m\u{1B}[2J"))
    #expect(painter.paint(screen.canvas(size.columns, size.rows)) == "")
    screen.clock = "14:03:23"
    let second = painter.paint(screen.canvas(size.columns, size.rows))
    #expect(second.hasPrefix("\u{1B}[1;1H") && second.contains("14:03:23"))
    #expect(!second.contains("\u{1B}[2;1H") && !second.contains("[2J"))
    painter.forget()
    #expect(painter.paint(screen.canvas(size.columns, size.rows)).contains("[2J"))
    #expect(
      painter.paint(screen.canvas(90, 20)).contains(
        "[2J"))
  }

  @Test func `colours zones only where colours are wanted`() {
    var coloured = Painter(isColoured: true)
    var plain = Painter(isColoured: false)
    let canvas = sampleScreen().canvas(size.columns, size.rows)
    #expect(coloured.paint(canvas).contains("\u{1B}[0;1;32mimmediate"))
    let text = plain.paint(canvas)
    #expect(text.contains("immediate"))
    // Colours are 30 to 37.
    #expect(!text.contains(/\u{1B}\[([0-9;]*;)?3[0-7]m/))
  }
}
