import Foundation
import Support
import TestSupport
import Testing
import TracePipelines

@Suite("A folder stands for its traces")
struct InputFoldersTests {
  @Test func `names its traces in order`() throws {
    let folder = try TemporaryDirectory()
    for name in ["b.h5", "a.h5", "c.csv", ".rssi-1.h5"] { _ = try folder.write("", to: name) }
    let path = folder.url.path
    let names = ["\(path)/a.h5", "\(path)/b.h5"]
    #expect(try inputFiles([path]) == names)
    #expect(try inputFiles(["-", "x.h5", path + "/"]) == ["-", "x.h5"] + names)
    #expect(try inputFiles([]) == [])
  }

  @Test func `without a trace is refused`() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("", to: "c.csv")
    let error = #expect(throws: RSSIError.self) { try inputFiles([folder.url.path]) }
    #expect(error?.kind == .noInput)
    #expect(error?.subject == folder.url.path)
  }
}
