import Foundation
import TestSupport
import Testing

@testable import Recordings

@Suite struct TableRowTests {
  /// The fields of a row, nil where its quotes do not match.
  private func fields(_ line: String) -> [String]? {
    var row = TableRow()
    return fields(line, &row)
  }

  private func fields(_ line: String, _ row: inout TableRow) -> [String]? {
    let bytes = Array(line.utf8)
    guard row.split(bytes.span) else { return nil }
    return (0..<row.count).map { row.text($0) }
  }

  @Test(arguments: [
    ("", [""]), ("a", ["a"]), ("a,b", ["a", "b"]), (",", ["", ""]), ("a,", ["a", ""]),
    ("\"\"", [""]), ("\"a,b\",c", ["a,b", "c"]), ("\"a\"\"b\"", ["a\"b"]), ("\"\"\"\"", ["\""]),
    ("a\"b,c", ["a\"b", "c"]), (" \"a\"", [" \"a\""]), ("\"é\nü\",", ["é\nü", ""]),
  ])
  func `a row is cut at its commas`(_ line: String, _ expected: [String]) {
    #expect(fields(line) == expected)
  }

  @Test(arguments: ["\"", "\"a", "\"a\"b", "a,\"b", "\"a\" ,b", "\"\"\""])
  func `quotes that do not match are refused`(_ line: String) {
    #expect(fields(line) == nil)
  }

  @Test func `a row keeps nothing of the one before`() {
    var row = TableRow()
    #expect(fields("long,\"er\",row", &row) == ["long", "er", "row"])
    #expect(fields("a,b", &row) == ["a", "b"])
    #expect(row.text(2).isEmpty)
    #expect(row.isEmpty(nil))
    #expect(fields("\"x", &row) == nil)
    #expect(fields("c", &row) == ["c"])
  }

  /// What Python's csv module writes is read as it was.
  @Test func `rows that Python wrote are read as they were`() throws {
    let result = try runPython(
      """
      import csv, io, json, random
      random.seed(3)
      for _ in range(2000):
          row = ["".join(random.choices('a",\\n\\ré; ', k=random.randrange(6)))
                 for _ in range(random.randrange(2, 6))]
          out = io.StringIO()
          csv.writer(out, lineterminator="").writerow(row)
          print(json.dumps([out.getvalue(), row]))
      """)
    var count = 0
    for line in result.output.split(separator: "\n") {
      let pair = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
      let text = try #require(pair[0] as? String)
      #expect(fields(text) == pair[1] as? [String])
      count += 1
    }
    #expect(count == 2000, "\(result.error)")
  }
}
