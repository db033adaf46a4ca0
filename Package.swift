// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings of every target: Swift 6 language mode (from the tools version), imports that stay
/// out of the public interface, and no warning left standing.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// True if the package is a dependency, which must not have unsafe flags.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// Settings of targets whose code runs once per block of rows, report or command, where small is
/// better than fast.
let small: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Settings of libraries of which the program has no names of cases and fields (0.5 MB): nothing reads
/// them but `Mirror` and texts of values without a description, which Support refuses.
let unreflected: [SwiftSetting] =
  isDependency
  ? []
  : [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"], .when(configuration: .release))]

/// Settings of targets that calculate: unoptimised, the simulations of the tests take ten times as
/// long.
let fast: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The folders of Sources and Tests, in the order of the layers (docs/architecture.md).
enum Group: String {
  case base = "Base"
  case signals = "Signals"
  case storage = "Storage"
  case analysis = "Analysis"
  case pipelines = "Pipelines"
  case presentation = "Presentation"
}

/// A library and its tests.
///
/// - Parameters:
///   - uses: what the library imports, which its tests may import as well.
///   - testsUse: what else the tests import.
///   - embeds: files that become constants of `PackageResources`, as bytes.
///   - isStrict: whether the compiler refuses unsafe constructs, as it does where no C is touched.
///   - isFast: whether it is optimised in debug builds.
///   - isSmall: whether it is compiled for size.
///   - isReflected: whether the program has the names of its cases and fields.
func library(
  _ name: String, in group: Group, uses: [Target.Dependency] = [],
  testsUse: [Target.Dependency] = [], embeds: [String] = [], isStrict: Bool = true,
  isFast: Bool = false, isSmall: Bool = false, isReflected: Bool = false
) -> [Target] {
  [
    .target(
      name: name, dependencies: uses, path: "Sources/\(group.rawValue)/\(name)",
      resources: embeds.map { .embedInCode($0) },
      swiftSettings: settings + (isStrict ? [.strictMemorySafety()] : [])
        + (isFast ? fast : []) + (isSmall ? small : []) + (isReflected ? [] : unreflected)),
    .testTarget(
      name: name + "Tests",
      dependencies: [.init(stringLiteral: name), "TestSupport"] + uses + testsUse,
      path: "Tests/\(group.rawValue)/\(name)Tests", swiftSettings: settings),
  ]
}

/// A C library: a module map and a header of commented inline functions.
func cLibrary(_ name: String, _ pkgConfig: String? = nil, debian: String? = nil) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig,
    providers: debian.map { [.apt([$0])] })
}

let realNumbers = Target.Dependency.product(name: "RealModule", package: "swift-numerics")

let c = [
  cLibrary("CArchive", "libarchive", debian: "libarchive-dev"),
  cLibrary("CBlueZ", "bluez", debian: "libbluetooth-dev"),
  cLibrary("CBytes"),
  cLibrary("CCrypto", "libcrypto", debian: "libssl-dev"),
  cLibrary("CCurl", "libcurl", debian: "libcurl4-openssl-dev"),
  cLibrary("CDeflate", "libdeflate", debian: "libdeflate-dev"),
  cLibrary("CGSL", "gsl", debian: "libgsl-dev"),
  cLibrary("CGlibc"),
  cLibrary("CHDF5", "hdf5", debian: "libhdf5-dev"),
  cLibrary("CMicroHTTPD", "libmicrohttpd", debian: "libmicrohttpd-dev"),
  cLibrary("CMosquitto", "libmosquitto", debian: "libmosquitto-dev"),
  cLibrary("CNATS", "libnats", debian: "libnats-dev"),
  cLibrary("CPcap", "libpcap", debian: "libpcap-dev"),
]

/// The parser of TOML (Debian: libtomlplusplus-dev) with an interface of C.
let toml = Target.target(name: "CTOML", path: "Sources/C/CTOML")

/// What `rssi --version` shows as its commit: `RSSI_COMMIT=$(git rev-parse --short HEAD) swift build`.
///
/// From the environment, not from git: SwiftPM keeps what a manifest returned until its text or the
/// environment changes, so that a later build would show an earlier commit.
let revision = Target.target(
  name: "CRevision", path: "Sources/C/CRevision",
  cSettings: Context.environment["RSSI_COMMIT"].map { [.define("RSSI_COMMIT", to: $0)] })

/// The command line, as the C library passes it.
let arguments = Target.target(name: "CArguments", path: "Sources/C/CArguments")

/// The kernels of the particle filter, optimised in debug builds like the filter itself.
let particles = Target.target(
  name: "CParticles", path: "Sources/C/CParticles",
  cSettings: isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))])

/// The kernels of triangular factors, optimised in debug builds too.
let cholesky = Target.target(
  name: "CCholesky", path: "Sources/C/CCholesky",
  cSettings: isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))])

let base = [
  library(
    "NumericalMethods", in: .base, uses: ["CCholesky", "CGSL", realNumbers], isStrict: false,
    isFast: true),
  library("Geometry", in: .base, uses: [realNumbers], isFast: true),
  library(
    "Support", in: .base, uses: ["CArguments", "CCrypto", "CGlibc"], isStrict: false,
    isSmall: true),
].flatMap(\.self)

let signals = [
  library("Advertising", in: .signals, uses: ["Support"], isSmall: true),
  library(
    "Sightings", in: .signals, uses: ["Advertising", "Geometry", "Support"]),
  // A type that cannot be copied links only with the names (Swift 6.2).
  library(
    "Recordings", in: .signals,
    uses: [
      "CArchive", "CBytes", "CDeflate", "CGlibc", "CPcap", "Advertising", "Sightings", "Support",
    ],
    isStrict: false, isReflected: true),
  library(
    "Registries", in: .signals,
    uses: [
      "Advertising", "CCurl", "Geometry", "Recordings", "Sightings", "Support",
    ],
    isStrict: false, isSmall: true),
  library(
    "Capture", in: .signals,
    uses: ["CBlueZ", "CMosquitto", "CNATS", "Advertising", "Sightings", "Support"],
    testsUse: ["TraceStore"], isStrict: false, isSmall: true),
].flatMap(\.self)

let storage = [
  library(
    "TraceStore", in: .storage,
    uses: ["CHDF5", "CDeflate", "Advertising", "Sightings", "Support"], isStrict: false,
    isSmall: true)
].flatMap(\.self)

let analysis = [
  library(
    "Filtering", in: .analysis, uses: ["NumericalMethods", "Support", realNumbers], isFast: true),
  library(
    "PathLoss", in: .analysis, uses: ["NumericalMethods", "Support", realNumbers], isFast: true,
    isSmall: true),
  library(
    "Positioning", in: .analysis,
    uses: ["CParticles", "Geometry", "NumericalMethods", "Support", realNumbers],
    testsUse: ["Simulation"], isFast: true),
  library(
    "Rooms", in: .analysis, uses: ["Support", realNumbers], testsUse: ["NumericalMethods"],
    isFast: true, isSmall: true),
  library(
    "Proximity", in: .analysis,
    uses: ["Advertising", "NumericalMethods", "PathLoss", "Support", realNumbers], isFast: true,
    isSmall: true),
  library(
    "Sites", in: .analysis,
    uses: ["Advertising", "Geometry", "Proximity", "Rooms", "Sightings", "Support", "CTOML"],
    isStrict: false, isSmall: true),
  library(
    "Simulation", in: .analysis,
    uses: ["Geometry", "NumericalMethods", "Support", realNumbers], isFast: true, isSmall: true),
  library(
    "Evaluation", in: .analysis,
    uses: [
      "Filtering", "Geometry", "NumericalMethods", "Positioning", "Proximity", "Support",
      realNumbers,
    ],
    isFast: true, isSmall: true),
].flatMap(\.self)

let pipelines = [
  library(
    "TracePipelines", in: .pipelines,
    uses: [
      "Advertising", "Evaluation", "Filtering", "Geometry", "NumericalMethods",
      "PathLoss", "Positioning", "Proximity", "Recordings", "Registries", "Rooms", "Sightings",
      "Simulation", "Sites", "Support", "TraceStore",
    ], isStrict: false, isSmall: true),
  library(
    "LivePipelines", in: .pipelines,
    uses: [
      "Advertising", "Capture", "Filtering", "NumericalMethods", "PathLoss",
      "Proximity", "Recordings", "Registries", "Sightings", "Support", "TracePipelines",
      "TraceStore",
    ], isStrict: false, isSmall: true),
].flatMap(\.self)

let presentation = [
  library("Plotting", in: .presentation, uses: ["Support"], isStrict: false, isSmall: true),
  library(
    "Serving", in: .presentation, uses: ["CGlibc", "CMicroHTTPD", "Support"], isStrict: false,
    isSmall: true),
  library(
    "Screens", in: .presentation,
    uses: ["NumericalMethods", "Proximity", "Sightings", "Support", realNumbers], isSmall: true),
  library(
    "Reporting", in: .presentation,
    uses: [
      "Advertising", "Capture", "Evaluation", "Filtering", "Geometry", "LivePipelines",
      "NumericalMethods", "PathLoss", "Plotting", "Positioning", "Proximity",
      "Registries", "Rooms", "Screens", "Serving", "Sightings", "Sites", "Support",
      "TracePipelines", "TraceStore", realNumbers,
    ],
    embeds: ["page.css", "page.js", "evaluation.js", "positions.js", "map.js"].map { "Page/\($0)" }
      + ["Live/live.js", "Live/openapi.json"],
    isStrict: false, isSmall: true),
].flatMap(\.self)

/// The libraries that other programs need, under one name, and programs that use it.
let kit: [Target] =
  [
    .target(
      name: "RSSIKit",
      dependencies: [
        "Advertising", "Capture", "Evaluation", "Filtering", "Geometry", "LivePipelines",
        "NumericalMethods", "PathLoss", "Positioning", "Proximity", "Recordings", "Registries",
        "Rooms", "Sightings", "Simulation", "Sites", "Support", "TracePipelines", "TraceStore",
      ], swiftSettings: settings),
    .testTarget(
      name: "RSSIKitTests", dependencies: ["RSSIKit", "TestSupport"], swiftSettings: settings),
  ]
  + ["decode-beacons", "fit-bench", "compare-algorithms"].map { name in
    .executableTarget(
      name: name, dependencies: ["RSSIKit"], path: "Examples/\(name)", swiftSettings: settings)
  }

/// The only target that parses arguments, prints and exits, and tests that run it as a user would.
let program: [Target] = [
  .executableTarget(
    name: "rssi",
    dependencies: [
      "Support", "Geometry", "Advertising", "Sightings", "Recordings", "Registries", "Capture",
      "TraceStore", "Filtering", "PathLoss", "Positioning", "Proximity", "Rooms", "Sites",
      "Simulation", "Evaluation", "TracePipelines", "LivePipelines", "Plotting", "Screens",
      "Reporting", "Serving", "CRevision",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    swiftSettings: settings + small),
  .testTarget(
    name: "CommandTests",
    dependencies: [
      "Sightings", "TraceStore", "TestSupport", "rssi", "decode-beacons", "fit-bench",
      "compare-algorithms",
    ],
    exclude: ["Scripts"],
    swiftSettings: settings),
  .target(
    name: "TestSupport", dependencies: ["CNATS", "Support"], path: "Tests/TestSupport",
    swiftSettings: settings + fast),
  .executableTarget(
    name: "rssi-bench",
    dependencies: [
      "Geometry", "NumericalMethods", "Filtering", "PathLoss", "Positioning", "Evaluation",
    ],
    path: "Tests/Benchmarks", swiftSettings: settings),
]

let package = Package(
  name: "rssi",
  products: [
    .executable(name: "rssi", targets: ["rssi"]),
    .library(name: "RSSIKit", targets: ["RSSIKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
  ],
  // Not a sum, which takes the compiler too long.
  targets: [
    c, [toml, revision, arguments, particles, cholesky], base, signals, storage, analysis,
    pipelines, presentation, kit, program,
  ].flatMap(\.self),
  cxxLanguageStandard: .cxx17
)

// Only who builds the documentation needs the plugin:
//     RSSI_DOCC=1 swift package generate-documentation --target RSSIKit
if ProcessInfo.processInfo.environment["RSSI_DOCC"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
