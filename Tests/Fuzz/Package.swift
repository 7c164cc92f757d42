// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FreshetFuzz",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "Freshet", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    // Random input for every parser of a server's text: make fuzz-parsers.
    .executableTarget(
      name: "FreshetFuzz",
      dependencies: [
        "Watch",
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetHTTP", package: "Freshet"),
        .product(name: "FreshetLists", package: "Freshet"),
      ]),
    // `freshet watch` as a module: a link to the tool's folder, since nobody can import an
    // executable.
    .target(
      name: "Watch",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetHTTP", package: "Freshet"),
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
