import Foundation
import Support
import TestSupport
import Testing

/// Documents as gateways and registries send them.
private let samples = [
  #"{"mac": "AC233FC0FFEE", "rssi": -71, "rawData": "0201061AFF4C000215", "ts": 1704067200.25}"#,
  #"[{"type": "Gateway", "gatewayFree": 97, "load": 0.02}, {"type": null, "ok": true, "no": false}]"#,
  #"{"a": {"b": [1, 2.5e-3, -0, 1E+9, [[], {}, [""]]], "ä": "ü\n\t\"\\", "": "\u0041"}, "b": []}"#,
  #" [ 0 , -12.75 , "x" , { "k" : [ true , [ false , [ null ] ] ] } ] "#,
]

@Suite struct JSONDocumentTests {
  private func document(_ text: String) -> JSONDocument? {
    let document = JSONDocument()
    let bytes = Array(text.utf8)
    return document.parse(bytes.span) ? document : nil
  }

  @Test func `values are found by name`() throws {
    let root = try #require(
      document(
        #" {"a":{"b":[1,{"c":"d"}]},"e":null,"f":"x","f":"é\n\ud83d\ude00","n":-1.5e1,"t":true} "#)
    ).root
    #expect(root["a"]?["b"]?.children.map(\.kind) == [.number, .object])
    let inner = root["a"]?["b"]?.children.dropFirst().first { _ in true }
    #expect(inner?["c"]?.text.map { String(decoding: $0, as: UTF8.self) } == "d")
    #expect(root["e"] == nil)
    #expect(root["f"]?.text.map { String(decoding: $0, as: UTF8.self) } == "é\n😀")
    #expect(root["n"]?.number == -15)
    #expect(root["t"]?.kind == .true)
    #expect(root["n"]?["x"] == nil && root["missing"] == nil && root["f"]?.number == nil)
  }

  @Test func `depth is bounded`() {
    let most = JSONDocument.maximumDepth
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(document(nested(most)) != nil)
    #expect(document(nested(most + 1)) == nil)
  }

  /// Python's reader accepts and refuses the same texts, and finds the same values in them.
  @Test func `Python reads the same`() throws {
    var generator = SeededGenerator(seed: 0x4A53_4F4E)
    var texts: [[UInt8]] = []
    for sample in samples {
      for _ in 0..<700 {
        let text = mutatedJSON(Array(sample.utf8), &generator)
        // Python takes surrogates without their other half, and texts must be UTF-8.
        if text.allSatisfy({ $0 < 128 }), !text.contains(UInt8(ascii: "\\")) { texts.append(text) }
      }
    }
    let scratch = try TemporaryDirectory()
    let lines = texts.map { Data($0).base64EncodedString() }.joined(separator: "\n")
    let script = """
      import base64, json, sys
      def refuse(word): raise ValueError(word)
      def flat(value):
          if isinstance(value, tuple): return value[0]
          if isinstance(value, str): return 's' + value
          if isinstance(value, Pairs): return '{' + ''.join(k + ':' + flat(v) + ';' for k, v in value) + '}'
          if isinstance(value, list): return '[' + ''.join(flat(v) + ';' for v in value) + ']'
          return {True: 't', False: 'f', None: '0'}[value]
      class Pairs(list): pass
      number = lambda text: ('n' + text,)
      for line in open(sys.argv[1]):
          try:
              text = base64.b64decode(line).decode()
              value = json.loads(text, parse_int=number, parse_float=number, parse_constant=refuse,
                                 object_pairs_hook=Pairs)
              print(base64.b64encode(flat(value).encode()).decode())
          except ValueError: print('-')
      """
    let result = try runPython(script, [try scratch.write(lines + "\n", to: "texts")])
    try #require(result.exitCode == 0, "\(result.error)")
    let answers = result.output.split(separator: "\n")
    try #require(answers.count == texts.count)
    let reader = JSONDocument()
    var accepted = 0
    for (text, answer) in zip(texts, answers) {
      let isRead = reader.parse(text.span)
      let own = isRead ? Data(flat(reader.root).utf8).base64EncodedString() : "-"
      #expect(own == answer, "\(String(decoding: text, as: UTF8.self))")
      if isRead { accepted += 1 }
    }
    #expect(accepted > 300 && accepted < texts.count)
  }

  private func flat(_ value: JSONElement) -> String {
    func text(_ slice: ArraySlice<UInt8>) -> String { String(decoding: slice, as: UTF8.self) }
    switch value.kind {
    case .object:
      return "{" + value.children.map { "\(text($0.name)):\(flat($0));" }.joined() + "}"
    case .array: return "[" + value.children.map { "\(flat($0));" }.joined() + "]"
    case .string: return "s" + text(value.text ?? [])
    case .number: return "n" + text(value.document.bytes[value.document.nodes[value.index].text])
    case .true: return "t"
    case .false: return "f"
    case .null: return "0"
    }
  }
}
