// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FreshetBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Freshet", path: "..", traits: ["SQLite", "Postgres"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // A plain executable: the baselines and Freshet take turns in one process.
    .executableTarget(
      name: "FreshetBenchmarks",
      dependencies: [
        "CMalloc",
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetLists", package: "Freshet"),
        .product(name: "FreshetSQLite", package: "Freshet"),
        .product(name: "FreshetTesting", package: "Freshet"),
        .product(name: "FreshetUI", package: "Freshet"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // Fixed pieces of work whose instructions are counted.
    .executableTarget(
      name: "FreshetCounts",
      dependencies: [
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetLists", package: "Freshet"),
      ]),
    // An hour of a busy list.
    .executableTarget(
      name: "FreshetSoak",
      dependencies: [
        "CMalloc",
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetSQLite", package: "Freshet"),
        .product(name: "FreshetTesting", package: "Freshet"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // How much is allocated, which Glibc's module does not say.
    .systemLibrary(name: "CMalloc"),
  ],
  swiftLanguageModes: [.v6]
)
