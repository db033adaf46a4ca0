import Foundation
import TestSupport
import Testing

/// The package's manifest, the imports of its sources and docs/architecture.md describe one
/// structure.
@Suite struct LayerTests {
  /// From the lowest to the highest.
  private static let layers = [
    "C", "Base", "Signals", "Storage", "Analysis", "Pipelines", "Presentation", "RSSIKit", "rssi",
  ]

  private struct Target {
    var name: String
    var layer: Int
    var dependencies: Set<String>
    /// The modules that its files import.
    var imports: Set<String> = []
  }

  /// The targets of the repository, read once for all tests.
  private static let read = Result { try targets() }
  private let targets: [Target]

  init() throws { targets = try Self.read.get() }

  private static func targets() throws -> [Target] {
    // The manifest alone is read: a build folder of its own, since the tests may hold the other's
    // lock.
    let scratch = try TemporaryDirectory()
    let dump = try runProgram(
      "/usr/bin/env",
      ["swift", "package", "--scratch-path", scratch.url.path, "dump-package"],
      directory: repositoryRoot)
    try #require(dump.exitCode == 0, "\(dump.error)")
    let root = try JSONSerialization.jsonObject(with: Data(dump.output.utf8)) as? [String: Any]
    let described = try #require(root?["targets"] as? [[String: Any]])
    return try described.compactMap { target in
      guard let name = target["name"] as? String, let type = target["type"] as? String,
        type != "test"
      else { return nil }
      let path = target["path"] as? String ?? "Sources/\(name)"
      guard path.hasPrefix("Sources/") else { return nil }
      let folder = String(path.split(separator: "/")[1])
      let layer = try #require(Self.layers.firstIndex(of: folder), "\(path) is in no layer")
      let dependencies = (target["dependencies"] as? [[String: Any]] ?? []).compactMap {
        ($0["byName"] as? [Any])?.first as? String ?? ($0["product"] as? [Any])?.first as? String
      }
      return Target(
        name: name, layer: layer, dependencies: Set(dependencies),
        imports: type == "system" ? [] : try Self.imports(in: path))
    }
  }

  private static func files(in path: String) throws -> [URL] {
    let folder = repositoryRoot.appending(path: path)
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
      .map { folder.appending(path: $0) }
  }

  private static func imports(in path: String) throws -> Set<String> {
    var modules: Set<String> = []
    for file in try files(in: path) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains("import ") {
        if let match = line.wholeMatch(
          of: /(@_exported )?((public|package|internal|private) )?import ([A-Za-z0-9_]+)/)
        {
          modules.insert(String(match.4))
        }
      }
    }
    return modules
  }

  @Test func `targets import their layer and lower ones`() {
    let layers = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.layer) })
    #expect(targets.count > 20)
    for target in targets {
      for module in target.imports {
        guard let layer = layers[module] else { continue }
        #expect(layer <= target.layer, "\(target.name) imports \(module)")
        #expect(
          target.dependencies.contains(module), "\(target.name) imports \(module) undeclared")
      }
    }
  }

  @Test func `every declared dependency is imported`() {
    for target in targets {
      #expect(target.dependencies.subtracting(target.imports) == [], "\(target.name)")
    }
  }

  @Test func `only the program parses arguments`() {
    for target in targets where target.name != "rssi" {
      #expect(!target.imports.contains("ArgumentParser"), "\(target.name)")
    }
  }

  @Test func `architecture names every target`() throws {
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "docs/architecture.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\| ([A-Z][A-Za-z]+) \|/).map { String($0.1) }
    }
    let libraries = targets.filter { $0.layer != 0 && $0.name != "rssi" }.map(\.name)
    #expect(Set(libraries).subtracting(rows) == [])
    // The picture of the layers has each library on the line of its layer.
    let picture = page.split(separator: "```", maxSplits: 2)[1]
    for target in targets where target.name != "rssi" {
      let line = picture.split(separator: "\n").first {
        $0.hasPrefix(" \(Self.layers[target.layer]) ")
      }
      if target.layer == 0 {
        #expect(picture.contains(target.name))
      } else {
        #expect(line?.contains(" \(target.name)") == true, "\(target.name)")
      }
    }
  }

  @Test func `each type name is declared once`() throws {
    let declaration =
      /^(?:@\w+(?:\([^)]*\))? |public |package |internal |final |indirect )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    var files: [String: [String]] = [:]
    for file in try Self.files(in: "Sources") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        if let match = line.prefixMatch(of: declaration) {
          files[String(match.1), default: []].append(file.lastPathComponent)
        }
      }
    }
    #expect(files.count > 800)
    #expect(files.filter { $0.value.count > 1 } == [:])
  }

  @Test(arguments: [
    "Sources/Storage/TraceStore", "Sources/Pipelines/TracePipelines",
    "Sources/Pipelines/LivePipelines", "Sources/Presentation/Reporting", "Sources/Signals/Capture",
  ])
  func `folders refer to lower folders`(target: String) throws {
    let declaration =
      /^(?:@\w+(?:\([^)]*\))? |public |package |internal |private |final |indirect )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    let base = repositoryRoot.appending(path: target).path + "/"
    var homes: [String: String] = [:]
    var words: [String: Set<String>] = [:]
    for file in try Self.files(in: target) {
      let folder = String(file.path.dropFirst(base.count).prefix { $0 != "/" })
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { continue }
        if code.startIndex == line.startIndex, let match = line.prefixMatch(of: declaration) {
          homes[String(match.1)] = folder
        }
        // Every second piece between quotation marks is a text.
        let pieces = code.utf8.split(
          separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        for (number, piece) in pieces.enumerated() where number % 2 == 0 {
          let names = piece.split { byte in
            let lower = byte | 0x20
            return lower < UInt8(ascii: "a") && !(0x30...0x39 ~= byte) || lower > UInt8(ascii: "z")
          }
          words[folder, default: []].formUnion(names.map { String(Substring($0)) })
        }
      }
    }
    var uses = words.mapValues { Set($0.compactMap { homes[$0] }) }
    for folder in uses.keys { uses[folder]?.remove(folder) }
    #expect(uses.count > 1 && uses.values.contains { !$0.isEmpty })
    // Folders that use none of those left are taken away until none is, or a circle is left.
    while let lowest = uses.first(where: { $0.value.isEmpty })?.key {
      uses[lowest] = nil
      for folder in uses.keys { uses[folder]?.remove(lowest) }
    }
    #expect(uses == [:], "folders in a circle, or above one, and what they use")
  }

  @Test func `libraries do not name options of the program`() throws {
    for file in try Self.files(in: "Sources") where !file.path.contains("/Sources/rssi/") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//"), !code.contains("--c") else { continue }
        #expect(
          code.firstMatch(of: /"[^"]*(?:^|[ (`"])--[a-z]/) == nil,
          "\(file.lastPathComponent): \(code)")
      }
    }
  }
}
