// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target: Swift 6 language mode (from the tools version), imports that stay
/// out of the public interface, and no warning left standing.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Settings of the targets that touch no C: the compiler also refuses every unsafe construct.
let pure = settings + [.strictMemorySafety()]

let realNumbers = Target.Dependency.product(name: "RealModule", package: "swift-numerics")

let package = Package(
  name: "rssi",
  products: [
    .executable(name: "rssi", targets: ["rssi"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // The C libraries, one target each: a module map and a header of commented inline functions.
    .systemLibrary(name: "CHDF5", pkgConfig: "hdf5", providers: [.apt(["libhdf5-dev"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
    .systemLibrary(name: "CTimex"),
    .systemLibrary(name: "CBlueZ", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),

    // From bytes to sightings.
    .target(name: "Advertising", swiftSettings: pure),
    .target(name: "Sightings", dependencies: ["Advertising"], swiftSettings: pure),
    .target(name: "Documents", swiftSettings: settings),
    .target(
      name: "Recordings", dependencies: ["CPcap", "Advertising", "Sightings"],
      swiftSettings: settings),
    .target(
      name: "Capture",
      dependencies: [
        "CBlueZ", "CMosquitto", "Advertising", "Documents", "Sightings", "Recordings",
      ],
      swiftSettings: settings),
    .target(
      name: "TraceStore", dependencies: ["CHDF5", "CDeflate", "Advertising", "Sightings"],
      swiftSettings: settings),

    // From sightings to numbers.
    .target(name: "RandomNumbers", swiftSettings: pure),
    .target(name: "LeastSquares", dependencies: ["CGSL"], swiftSettings: settings),
    .target(
      name: "Filtering", dependencies: ["LeastSquares", realNumbers], swiftSettings: pure),
    .target(
      name: "PathLoss", dependencies: ["LeastSquares", "RandomNumbers", realNumbers],
      swiftSettings: pure),
    .target(
      name: "Positioning", dependencies: ["LeastSquares", "RandomNumbers", realNumbers],
      swiftSettings: pure),
    .target(
      name: "Evaluation",
      dependencies: ["Filtering", "Positioning", "RandomNumbers", realNumbers],
      swiftSettings: pure),
    .target(
      name: "Simulation", dependencies: ["Positioning", "RandomNumbers", realNumbers],
      swiftSettings: pure),

    // Where things are.
    .target(
      name: "Sites",
      dependencies: [
        "Advertising", "Positioning", "Proximity", .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      swiftSettings: settings),

    .target(
      name: "Registries", dependencies: ["CCurl", "Advertising", "Documents", "Recordings"],
      swiftSettings: settings),

    // What is near, and what several receivers do together.
    .target(
      name: "Proximity", dependencies: ["Advertising", "LeastSquares", "PathLoss", realNumbers],
      swiftSettings: pure),
    .target(name: "Sessions", swiftSettings: pure),

    // From numbers to pictures.
    .target(name: "Plotting", swiftSettings: settings),
    .target(name: "Screens", dependencies: ["Proximity", realNumbers], swiftSettings: pure),
    .target(
      name: "Reporting", dependencies: ["Evaluation", "Positioning", realNumbers],
      swiftSettings: settings),

    // The only target that parses arguments, prints and exits.
    .executableTarget(
      name: "rssi",
      dependencies: [
        "Advertising", "Sightings", "Recordings", "Capture", "TraceStore", "Filtering", "PathLoss",
        "Positioning", "Evaluation", "Simulation", "Sites", "Registries", "Proximity", "Sessions",
        "Plotting", "Screens", "Reporting", "CTimex",
        realNumbers,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),

    // Tests: one target a module, and one that runs the built program as a user would.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "rssi-bench", dependencies: ["Filtering", "PathLoss", "Positioning", "Evaluation"],
      path: "Tests/Benchmarks",
      swiftSettings: settings),
    .testTarget(
      name: "AdvertisingTests", dependencies: ["Advertising", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SightingsTests", dependencies: ["Sightings", "Advertising", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RecordingsTests",
      dependencies: ["Recordings", "Advertising", "Sightings", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CaptureTests",
      dependencies: [
        "Capture", "Advertising", "Documents", "Sightings", "Recordings", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TraceStoreTests",
      dependencies: ["TraceStore", "Advertising", "Sightings", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RandomNumbersTests", dependencies: ["RandomNumbers", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FilteringTests", dependencies: ["Filtering", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "LeastSquaresTests", dependencies: ["LeastSquares", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PathLossTests", dependencies: ["PathLoss", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "PositioningTests", dependencies: ["Positioning", "Simulation", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "EvaluationTests",
      dependencies: [
        "Evaluation", "Filtering", "Positioning", "RandomNumbers", "Simulation", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "Positioning", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SitesTests",
      dependencies: ["Sites", "Advertising", "Positioning", "Proximity", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RegistriesTests", dependencies: ["Registries", "Advertising", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ProximityTests",
      dependencies: ["Proximity", "Advertising", "PathLoss", "TestSupport"], swiftSettings: settings
    ),
    .testTarget(
      name: "SessionsTests", dependencies: ["Sessions", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ScreensTests", dependencies: ["Screens", "Proximity", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PlottingTests", dependencies: ["Plotting", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ReportingTests",
      dependencies: ["Reporting", "Evaluation", "Positioning", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests", dependencies: ["Sightings", "TraceStore", "TestSupport", "rssi"],
      exclude: ["crash.py", "write_log.c"],
      swiftSettings: settings),
  ]
)
