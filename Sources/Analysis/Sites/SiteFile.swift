import Geometry
import Glibc
package import Support

extension Site {
  /// The longest site file that is read, in bytes: some 10,000 walls.
  package static let maximumFileLength = 1_000_000

  /// Reads a site file: TOML 1.0 as docs/site.md describes it.
  ///
  /// - Throws: `RSSIError` that names the file and, where its content is wrong, the line.
  package init(path: String) throws(RSSIError) {
    let bytes = try contents(ofFile: path, atMost: Site.maximumFileLength + 1)
    try self.init(toml: bytes, path: path)
  }
}
