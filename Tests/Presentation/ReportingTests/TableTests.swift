import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import Reporting

@Suite struct TableTests {
  private let table = ReportTable(
    "Levels", of: [(name: "=a,<b>|", level: -60.125, count: 12_345), ("c", .nan, 7)],
    [
      .text("device", "who sent", onTerminal: "id", key: "beacon", least: 8) { .name($0.name) },
      .number("mean", unit: "dBm", key: "mean_dbm") { .number($0.level) },
      .number("exact", key: "exact_dbm", rank: nil) { .exact($0.level.isNaN ? nil : $0.level) },
      .number("sightings", key: "sightings", rank: 1) { .count($0.count) },
      .text("95 % interval", rank: 2) {
        .interval($0.level.isNaN ? nil : Interval(lower: $0.level - 1, upper: $0.level + 1))
      },
    ])

  @Test func `a value has the same digits in each form`() {
    for text in [table.text, table.html.text, table.markdown, table.csv] {
      #expect(text.contains("-60.13") && !text.contains("-60.12 "))
    }
  }

  @Test func `a terminal has its own headings and ungrouped counts`() {
    #expect(
      table.text == """
        id         mean  sightings    95 % interval
                    dBm
        =a,<b>|  -60.13      12345  -61.13 – -59.13
        c             –          7                –

        """)
  }

  @Test func `CSV has the columns with a key, and empty fields for missing values`() {
    #expect(
      table.csv == """
        beacon,mean_dbm,exact_dbm,sightings
        "'=a,<b>|",-60.13,-60.125,12345
        c,,,7

        """)
    #expect(table.csv == table.csvHeader + table.csvRows)
  }

  @Test func `Markdown and pages escape names, group counts, and sort by values`() {
    #expect(
      table.markdown.hasPrefix(
        "| device | mean | exact | sightings | 95 % interval |\n| --- | ---: | ---: | ---: | --- |\n"
          + "| =a,&lt;b&gt;\\| | -60.13 | -60.125 | 12\u{2009}345 |"))
    let html = table.html.text
    #expect(html.contains("title=\"who sent\"") && html.contains("<bdi>=a,&lt;b&gt;|</bdi>"))
    #expect(html.contains("data-order=\"-60.125000\"") && html.contains("data-order=\"12345.0"))
  }
}
