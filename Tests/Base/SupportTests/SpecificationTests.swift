import Support
import TestSupport
import Testing

struct SpecificationTests {
  private struct Kind: SpecifiedKind {
    var name: String
    var summary = "for a test"
    var parameters: [Parameter] = []
  }

  private enum Colour: String, CaseIterable {
    case red, green, blue
  }

  private static let kinds = [
    Kind(
      name: "sieve",
      parameters: [
        .time("window", default: "1.5s", "length"),
        .number("width", in: 0.5...1e9, unit: "mm", default: "2", "between wires"),
        .number("limit", in: -1...1, "where it ends"),
        .share("lost", below: 1, default: "0", "what is lost"),
        .count("meshes", in: 3 ... .max, or: "all", default: "all", "meshes"),
        .count("layers", in: 1...1_000_000, default: "7", "layers"),
        .choice("colour", default: Colour.green, "its colour"),
        .flag("wet", default: false, "whether it is wet"),
        .text("of", mustBe: "a material", example: "steel", "material"),
      ]),
    Kind(
      name: "mixture",
      parameters: [.number("NAME", in: 0...1e300, "the share of one").forEveryName]),
  ]

  private static func values(_ text: String) throws(RSSIError) -> ParameterValues {
    try Specification(text).resolved(among: kinds, as: "tool").1
  }

  private static func refusal(_ text: String) -> String? {
    do throws(RSSIError) {
      _ = try values(text)
      return nil
    } catch {
      return error.kind == .usage ? error.description : nil
    }
  }

  @Test func `a range names its bounds, 0 too`() {
    let ranges = Self.kinds[0].parameters.map(\.range)
    #expect(ranges.contains("from 0 to below 1") && ranges.contains("from 0.5 to 1e9 mm"))
  }

  @Test(arguments: 1...200)
  func `a text is read and written again as it was`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func word(_ letters: String, from shortest: Int) -> String {
      let count = Int.random(in: shortest...8, using: &generator)
      return String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "x" })
    }
    let keys = Set(
      (0..<Int.random(in: 0...5, using: &generator)).map { _ in word("ab-é", from: 0) })
    let pairs = keys.map { ($0, word("0.+=:é s", from: 0)) }
    let name = word("ab-é", from: 0)
    let list = pairs.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
    let text = name + (pairs.isEmpty ? "" : ":" + list)
    let specification = try Specification(text)
    #expect(specification.text == text)
    #expect(specification.name == name)
    #expect(specification.written.map(\.name) == pairs.map(\.0))
    #expect(specification.written.map(\.value) == pairs.map(\.1))
  }

  @Test func `missing parameters have their defaults`() throws {
    let values = try Self.values("sieve:of=tin")
    #expect(values.duration("window") == .milliseconds(1500) && values.seconds("window") == 1.5)
    #expect(values.number("width") == 2 && values.optional("limit") == nil)
    #expect(values.number("lost") == 0)
    #expect(values.count("meshes") == nil && values.count("layers") == 7)
    #expect(values.choice("colour") == Colour.green && !values.flag("wet"))
    #expect(values.text("of") == "tin")
  }

  @Test func `every quantity is read in every form`() throws {
    let values = try Self.values(
      "sieve:wet=yes,colour=blue,layers=1e3,meshes=+4,lost=0.9999,limit=-0x1p-1,width=1E9,"
        + "window=2m,of=a=b")
    #expect(values.duration("window") == .seconds(120))
    #expect(values.number("width") == 1e9 && values.optional("limit") == -0.5)
    #expect(values.number("lost") == 0.9999)
    #expect(values.count("meshes") == 4 && values.count("layers") == 1000)
    #expect(values.choice("colour") == Colour.blue && values.flag("wet"))
    #expect(values.text("of") == "a=b")
    let shares = try Self.values("mixture:b=2,a=1")
    #expect(shares.specification.written.map { shares.number($0.name) } == [2, 1])
  }

  @Test(arguments: [
    ("window=0", "a time above 0"),
    ("width=0.4", "from 0.5 to 1e9 mm"), ("limit=nan", "from -1 to 1"),
    ("lost=1", "from 0 to below 1"), ("meshes=2", "from 3, or all"),
    ("layers=2.5", "from 1 to 1e6"),
    ("layers=1e30", "from 1 to 1e6"), ("colour=pink", "red, green or blue"),
    ("wet=true", "yes or no"), ("of=", "a material"),
  ])
  func `describes the problem in a sentence`(pair: String, range: String) {
    let sentence = Self.refusal("sieve:\(pair)") ?? ""
    let name = pair.prefix { $0 != "=" }
    #expect(sentence.hasPrefix("\"sieve:\(pair)") && sentence.contains("\(name) must be "))
    #expect(sentence.contains(range), "\(sentence)")
  }

  @Test func `required, unknown and misspelled parameters are named`() {
    for (text, phrases) in [
      ("sieve", ["\"sieve\" requires of", "example: of=steel"]),
      (
        "sieve:of=tin,clour=red",
        ["\"clour\"", "mean \"colour\"?", "known parameters are window, width", "wet, of"]
      ),
      ("Seive", ["unknown tool \"Seive\"", "mean \"sieve\"?", "sieve, mixture"]),
    ] {
      let sentence = Self.refusal(text) ?? ""
      for phrase in phrases { #expect(sentence.contains(phrase), "\(sentence)") }
    }
    #expect(Self.refusal("hammer")?.contains("did you mean") == false)
  }

  @Test(
    arguments: [
      ("kalmn", "kalman"), ("KALMAN", "kalman"), ("klaman", "kalman"), ("rst", "rts"),
      ("meen", "mean"), ("medain", "median"), ("kalmannn", "kalman"), ("magic", nil), ("", nil),
      ("x", nil), ("to", nil), ("fixedlag", "fixed-lag"),
    ] as [(String, String?)])
  func `the nearest name has few letters wrong`(name: String, expected: String?) {
    let names = ["kalman", "mean", "median", "rts", "fixed-lag"]
    #expect(nearestName(to: name, among: names) == expected)
  }

  @Test func `a list holds specifications with their parameters, one may hold another`() {
    let list = "a,b:x=1,y=2:3,c,d=4,e:f=g:h=1"
    #expect(
      Specification.texts(of: list.split(separator: ",")) == [
        "a", "b:x=1,y=2:3", "c,d=4", "e:f=g:h=1",
      ])
    #expect(Specification.nested("mean:a=1+b=2e+3+c=x+y") == "mean:a=1,b=2e+3,c=x+y")
  }
}
