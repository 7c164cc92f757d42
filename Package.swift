// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Freshet",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Freshet", targets: ["Freshet"]),
    .library(name: "FreshetLists", targets: ["FreshetLists"]),
    .library(name: "FreshetHTTP", targets: ["FreshetHTTP"]),
    .library(name: "FreshetSQLite", targets: ["FreshetSQLite"]),
    .library(name: "FreshetPostgres", targets: ["FreshetPostgres"]),
    .library(name: "FreshetUI", targets: ["FreshetUI"]),
    .library(name: "FreshetTesting", targets: ["FreshetTesting"]),
  ],
  traits: [
    .trait(name: "SQLite", description: "Live results from SQLite, through GRDB."),
    .trait(name: "Postgres", description: "Live results from PostgreSQL, through libpq."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
  ],
  targets: [
    // Values: what a list is and how two lists differ. Imports nothing.
    .target(name: "FreshetLists"),
    // Control: pages become a list that is kept true and kept on disk. Foundation only.
    .target(name: "Freshet", dependencies: ["FreshetLists"]),
    // Edge in: pages of a web API, through libcurl on Linux and URLSession elsewhere. Only who
    // builds this target needs libcurl's headers: on Debian and Ubuntu `libcurl4-openssl-dev`,
    // which the official Swift images have.
    .target(
      name: "FreshetHTTP",
      dependencies: [
        "Freshet", "FreshetLists",
        .target(name: "CLibCurl", condition: .when(platforms: [.linux])),
      ]),
    .systemLibrary(
      name: "CLibCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    // Edge in: live rows of SQLite.
    .target(
      name: "FreshetSQLite",
      dependencies: [
        "Freshet", "FreshetLists",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    // Edge in: live rows of PostgreSQL, shared by many processes.
    .target(
      name: "FreshetPostgres",
      dependencies: [
        "Freshet", "FreshetLists",
        .target(name: "CLibPQ", condition: .when(traits: ["Postgres"])),
      ]),
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // Edge out: what a table, a collection or a terminal shows of a list, and on Apple's systems
    // the views that forward exact changes; Tests/Apple builds those against modules that stand in
    // for UIKit, AppKit and SwiftUI.
    .target(name: "FreshetUI", dependencies: ["Freshet", "FreshetLists"]),
    // For tests, ours and yours: a scripted server, a manual clock, UIKit's rules for batch
    // updates.
    .target(name: "FreshetTesting", dependencies: ["Freshet", "FreshetLists"]),

    .testTarget(
      name: "FreshetListsTests", dependencies: ["Freshet", "FreshetLists", "FreshetTesting"]),
    .testTarget(name: "FreshetTests", dependencies: ["Freshet", "FreshetTesting"]),
    .testTarget(
      name: "FreshetUITests",
      dependencies: ["Freshet", "FreshetLists", "FreshetTesting", "FreshetUI"]),
    .testTarget(
      name: "FreshetHTTPTests",
      dependencies: [
        "FreshetHTTP", "FreshetTesting",
        .target(name: "CLibCurl", condition: .when(platforms: [.linux])),
      ]),
    .testTarget(
      name: "FreshetSQLiteTests",
      dependencies: [
        "FreshetSQLite", "FreshetTesting",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .testTarget(
      name: "FreshetPostgresTests", dependencies: ["FreshetPostgres", "FreshetTesting"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
  ]
  // Where Freshet itself is checked. Who depends on it gets no such flag: Xcode silences the
  // warnings of remote packages, and the compiler refuses both at once.
  if Context.environment["FRESHET_STRICT"] != nil {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
  if Context.environment["FRESHET_TESTING"] == "1" {
    target.swiftSettings?.append(.define("FRESHET_TESTING"))
  }
}
