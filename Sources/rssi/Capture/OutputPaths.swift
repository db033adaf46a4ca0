import Glibc

/// Refuses outputs that would destroy what is read, or each other.
///
/// - Throws: a usage failure, before anything is opened.
func requireDistinct(
  _ plan: CapturePlan, and others: [(name: String, path: String)] = []
) throws {
  var used = others
  if case .replay(let file) = plan.source { used.append(("replay:", file)) }
  if let output = plan.output { used.append(("-o", output)) }
  if let btsnoop = plan.btsnoop {
    guard btsnoop != "-" else {
      throw Failure(Failure.usage, "--btsnoop writes a file, not standard output: name one")
    }
    used.append(("--btsnoop", btsnoop))
  }
  for (index, one) in used.enumerated() {
    guard !one.path.isEmpty else { throw Failure(Failure.usage, "\(one.name) needs the name of a file") }
    for other in used[..<index] where isSameFile(one.path, other.path) {
      throw Failure(
        Failure.usage, "\(other.name) and \(one.name) are the same file, \(one.path): name another")
    }
  }
}

/// Whether two paths lead to one file, which need not exist yet.
func isSameFile(_ a: String, _ b: String) -> Bool {
  var first = stat()
  var second = stat()
  if stat(a, &first) == 0, stat(b, &second) == 0 {
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
  return resolvedFolder(a) == resolvedFolder(b)
}

/// A path whose folder has no symbolic links left.
private func resolvedFolder(_ path: String) -> String {
  let slash = path.lastIndex(of: "/")
  let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
  guard let resolved = realpath(folder, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved) + "/" + name
}
