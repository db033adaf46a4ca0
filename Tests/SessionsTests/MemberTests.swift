import Sessions
import Testing

struct MemberTests {
  @Test func isItsName() { #expect(Member(name: "a") != Member(name: "b")) }
}
