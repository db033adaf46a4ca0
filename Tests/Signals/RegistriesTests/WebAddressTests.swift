import Registries
import Support
import Testing

struct WebAddressTests {
  @Test(arguments: [
    ("http://example.org/list", "http://example.org/list"),
    ("https://ann:secret@example.org:8443/a?b=c#d", "https://example.org:8443/a?b=c"),
    ("HTTPS://token@example.org/", "https://example.org/"),
  ])
  func `shows no passwords`(text: String, shown: String) throws {
    #expect(try WebAddress(text).shown == shown)
  }

  @Test(arguments: [
    "", "example", "file:///etc/passwd", "ftp://example.org/", "http://", "http://a b/",
    "gopher://x/", "http://a/\r\nX: y", "data:application/json,[]",
  ])
  func `refuses others`(text: String) {
    let error = #expect(throws: RSSIError.self) { try WebAddress(text) }
    #expect(error?.kind == .usage)
  }

  @Test func `a token needs a secret way`() throws {
    var request = DownloadRequest(try WebAddress("http://example.org/list"))
    request.token = "abc"
    let error = #expect(throws: RSSIError.self) { try request.send() }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("abc") == false)
  }
}
