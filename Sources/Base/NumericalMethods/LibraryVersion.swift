internal import CGSL

/// The version of the GNU Scientific Library that is installed, such as `2.7.1`.
package var gslVersion: String { String(cString: cgsl_version()) }
