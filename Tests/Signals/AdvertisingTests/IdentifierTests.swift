import Advertising
import Testing

@Suite struct IdentifierTests {
  @Test func `text in either case with or without dashes`() {
    let identifier = Identifier<16>("e2c56db5dffb48d2b060d0f5a71096e0")
    #expect(identifier == Identifier<16>("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    #expect(identifier?.description == "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
    #expect(identifier?.hashValue == Identifier<16>("E2C56DB5DFFB48D2B060D0F5A71096E0")?.hashValue)
  }

  @Test(arguments: ["", "00", "00112233445G", "001122334455AA"])
  func `other text is refused`(text: String) { #expect(Identifier<6>(text) == nil) }
}
