// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FreshetBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Freshet", path: "..")],
  targets: [
    // A plain executable: the baselines and Freshet take turns in one process.
    .executableTarget(
      name: "FreshetBenchmarks",
      dependencies: [.product(name: "FreshetLists", package: "Freshet")])
  ],
  swiftLanguageModes: [.v6]
)
