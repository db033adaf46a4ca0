import Registries
import Testing

struct CleanTextTests {
  @Test(arguments: [
    ("door", "door", false), ("süd–tür 門 🚪", "süd–tür 門 🚪", false),
    ("a\u{1B}[31mb", "a[31mb", true), ("a\r\nb\tc", "a b c", true), ("  a  ", "a", false),
    // Eight-bit escapes, and marks that turn the order of letters around.
    ("a\u{9B}31mb", "a31mb", true), ("a\u{202E}gpj.exe", "agpj.exe", true),
    ("a\u{2066}b", "ab", true),
    // Joiners are part of how people write.
    ("👩\u{200D}🔧", "👩\u{200D}🔧", false), ("\u{7}\u{0}", "", true),
  ])
  func `leaves out what steers`(raw: String, text: String, isChanged: Bool) {
    #expect(CleanText(raw).text == text)
    #expect(CleanText(raw).isChanged == isChanged)
    #expect(CleanText(CleanText(raw).text).text == text)
  }

  @Test func `names of a registry are clean`() throws {
    let list = try document(
      #"[{"id": "addr:C0:FF:EE:00:00:01", "name": "do\u001b[31mor", "no\u0007te": "x\u0000y"}]"#)
    #expect(list.beacons.first?.name == "do[31mor")
    #expect(list.beacons.first?.notes == ["note": "xy"])
    #expect(list.cleaned == 1)
  }
}
