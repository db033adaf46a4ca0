import Support

/// Returns the name of a file without its folders and its last extension: `walk-1` for
/// `data/walk-1.btsnoop` and for `data/walk-1.btsnoop.gz`.
package func fileStem(_ path: String) -> String {
  let name = path.split(separator: "/").last.map(String.init) ?? path
  let (stem, last) = nameParts(name)
  return Compression.suffixes.contains(last.lowercased()) ? nameParts(stem).stem : stem
}

private func nameParts(_ name: String) -> (stem: String, last: String) {
  guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
  return (String(name[..<dot]), String(name[name.index(after: dot)...]))
}
