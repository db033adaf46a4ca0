import Sightings
import Testing

@Suite struct NameTableTests {
  @Test func `numbers names in order of appearance`() {
    var table = NameTable()
    #expect(table.intern("b") == (0, true))
    #expect(table.intern("a") == (1, true))
    #expect(table.intern("b") == (0, false))
    #expect(table.names == ["b", "a"])
    #expect(table.count == 2)
  }

  @Test func `looks up by bytes`() {
    var table = NameTable()
    _ = table.intern("Küche")
    #expect(table.intern(Array("Küche".utf8).span) == (0, false))
    #expect(table.find("Küche") == 0)
    #expect(table.find("Kuche") == nil)
    #expect(table.count == 1)
  }

  /// Unicode calls these equal; two spellings in two files are two names.
  @Test func `spellings of one text are different names`() {
    var table = NameTable()
    #expect(table.intern("\u{E9}") == (0, true))
    #expect(table.intern("e\u{301}") == (1, true))
  }
}
