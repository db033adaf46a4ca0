/// Returns the name of a file without its folders and its last extension: `walk-1` for
/// `data/walk-1.btsnoop`.
package func fileStem(_ path: String) -> String {
  let name = path.split(separator: "/").last.map(String.init) ?? path
  guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
  return String(name[..<dot])
}
