// swift-tools-version: 6.2
import PackageDescription

// An app over the demo's server: start `make demo` at the root of Freshet, open this folder in
// Xcode, and run it on a Mac or in the simulator.
let package = Package(
  name: "Quakes",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Freshet", path: "../..")],
  targets: [
    .executableTarget(
      name: "Quakes",
      dependencies: [
        .product(name: "Freshet", package: "Freshet"),
        .product(name: "FreshetHTTP", package: "Freshet"),
        .product(name: "FreshetUI", package: "Freshet"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
