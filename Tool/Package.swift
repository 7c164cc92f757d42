// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FreshetTool",
  platforms: [.macOS(.v26)],
  products: [.executable(name: "freshet", targets: ["FreshetTool"])],
  dependencies: [
    .package(name: "Freshet", path: "..", traits: ["SQLite", "Postgres"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // The command line, and the demo: a feed server and its client in one process.
    .executableTarget(
      name: "FreshetTool",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetHTTP", package: "Freshet"),
        .product(name: "FreshetPostgres", package: "Freshet"),
        .product(name: "FreshetSQLite", package: "Freshet"),
        .product(name: "FreshetUI", package: "Freshet"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [.copy("Demo/Page"), .copy("Demo/quakes.csv")]),
    .testTarget(
      name: "FreshetToolTests",
      dependencies: [
        "FreshetTool", .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetHTTP", package: "Freshet"),
        .product(name: "FreshetTesting", package: "Freshet"),
        .product(name: "FreshetUI", package: "Freshet"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
