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
    let isEmpty = (row.text(2).isEmpty, row.isEmpty(nil))
    #expect(isEmpty == (true, true))
    #expect(fields("\"x", &row) == nil)
    #expect(fields("c", &row) == ["c"])
  }

  /// The fields of a line without quotes, as a plain search for separators finds them.
  private func plainFields(_ line: String, _ separator: Character) -> [String] {
    line.split(separator: separator, omittingEmptySubsequences: false).map { field in
      let isGuarded =
        field.first == "'" && field.first { $0 != "'" }.map { "=+-@\t".contains($0) } == true
      return String(isGuarded ? field.dropFirst() : field)
    }
  }

  /// The memory of the lines ends at each offset of a line, and so do the blocks of 64 bytes in
  /// which their fields are found.
  @Test(arguments: [",", ";", "|"] as [Character])
  func `complete rows are cut like single ones wherever memory ends`(_ separator: Character) throws
  {
    var random = SeededGenerator(seed: 5)
    let pieces = ["a", "'", "'=", "'-1", "é", " ", "0123456789", "", "\0", ",", ";", "|"]
    let lines = (0..<300).map { _ in
      (0..<Int.random(in: 0...6, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    let text = lines.map { $0 + (Bool.random(using: &random) ? "\n" : "\r\n") }.joined()
    let directory = try TemporaryDirectory()
    let path = try directory.write(Array("first\n\(text)last".utf8), to: "rows.csv")
    let expected = (["first"] + lines + ["last"]).map { plainFields($0, separator) }
    var layout = TableLayout()
    (layout.separator, layout.width) = (try #require(separator.asciiValue), 8)
    layout.constants = [Array("constant".utf8)]
    let file = TableSample.File(
      path: path, separator: layout.separator, width: layout.width, linesBefore: 0)
    for capacity in 80..<208 {
      var table = try TableLines([file], capacity: capacity)
      var rows = TableRow(layout)
      var single = TableRow(layout)
      var found: [[String]] = []
      while true {
        if try rows.takeRows(of: &table) {
          while rows.cut() != nil {
            found.append((0..<rows.count).map { rows.text($0) })
            let constant = rows.text(layout.width)
            #expect(constant == "constant")
          }
        } else if try table.next(into: &single) != nil {
          found.append((0..<single.count).map { single.text($0) })
        } else {
          break
        }
      }
      #expect(found == expected, "\(capacity) bytes of memory")
    }
  }

  /// Rows from Python's csv module are read unchanged.
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
