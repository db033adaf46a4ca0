import Testing

@testable import Screens

@Suite("What a person chooses to see") struct ScreenControlsTests {
  private var controls = ScreenControls()

  private mutating func press(_ keys: Key..., shown: [Int] = Array(0..<30), visible: Int = 10) {
    for key in keys {
      controls.press(key, shown: shown, visible: visible)
      controls.keep(shown: shown, visible: visible)
    }
  }

  @Test mutating func `scrolling stays in the list`() {
    press(.up)
    #expect(controls.offset == 0 && controls.selected == 0)
    press(.pageDown)
    #expect(controls.offset == 10 && controls.selected == 10)
    for _ in 0..<5 { press(.pageDown) }
    #expect(controls.offset == 20 && controls.selected == 29)
    controls.keep(shown: Array(18..<30), visible: 10)
    #expect(controls.offset == 2)
    press(.end, shown: [7, 8, 9])
    #expect(controls.offset == 0 && controls.selected == 9)
    press(.home, .down, shown: [])
    #expect(controls.offset == 0 && controls.selected == 9)
  }

  @Test mutating func `the selected beacon stays in sight wherever it moves`() {
    press(.down, .down)
    #expect(controls.selected == 1)
    press(.character("s"), shown: Array((0..<30).reversed()))
    #expect(controls.order == .strongest && controls.selected == 1 && controls.offset == 19)
  }

  @Test mutating func `every order has its turn`() {
    var seen: [ListOrder] = []
    for _ in ListOrder.allCases {
      seen.append(controls.order)
      press(.character("s"))
    }
    #expect(Set(seen) == Set(ListOrder.allCases) && controls.order == .nearest)
  }

  @Test mutating func `keys of a search are its text`() {
    press(.character("/"), .character("q"), .character(" "), .character("é"), .backspace)
    #expect(controls.isTyping && controls.search == "q " && !controls.wantsEnd)
    #expect(!controls.isPaused)
    press(.enter, .character(" "))
    #expect(!controls.isTyping && controls.search == "q " && controls.isPaused)
    press(.escape)
    #expect(controls.search.isEmpty)
    press(.character("/"), .backspace, .character("q"))
    #expect(controls.wantsEnd)
  }

  @Test mutating func `escape goes back one step`() {
    press(.character("/"), .character("1"), .enter, .down, .enter)
    #expect(controls.showsDetail && controls.selected == 0)
    press(.escape)
    #expect(!controls.showsDetail && controls.search == "1")
    press(.escape)
    #expect(controls.search.isEmpty && controls.selected == 0)
    press(.escape)
    #expect(controls.selected == nil)
  }

  @Test mutating func `any key closes the help`() {
    press(.character("?"))
    #expect(controls.showsHelp)
    press(.character("q"))
    #expect(!controls.showsHelp && !controls.wantsEnd)
  }

  @Test mutating func `details are of a beacon of the list`() {
    press(.enter, shown: [])
    #expect(!controls.showsDetail)
    press(.down, shown: [4, 5])
    press(.enter, shown: [6, 7])
    #expect(controls.showsDetail && controls.selected == 6)
    press(.down, .enter, shown: [6, 7])
    #expect(!controls.showsDetail && controls.selected == 7)
  }
}
