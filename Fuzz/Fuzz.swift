import Glibc

/// The entry point that libFuzzer calls with every input; FUZZ_TARGET in the environment names the
/// parser.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // A copy, so that the address sanitizer sees a read beyond its end.
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  target(input)
  return 0
}

/// The parser under test, looked up once.
nonisolated(unsafe) private let target: ([UInt8]) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    print("FUZZ_TARGET is \"\(name)\"; it must be one of \(targets.keys.sorted())")
    exit(64)
  }
  return target
}()
