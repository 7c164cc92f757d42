// swift-tools-version: 6.2
import PackageDescription

// FreshetUI on Linux: the very sources of the library, built against modules that stand in for
// UIKit, AppKit and SwiftUI, and driven by tests. The folders in Sources are links to those of the
// library. It is a package of its own because modules of one build folder see each other:
// `canImport(UIKit)` is true in all of this one, and in nothing else.
let package = Package(
  name: "FreshetApple",
  platforms: [.macOS(.v14)],
  targets: [
    .target(name: "FreshetLists"),
    .target(name: "Freshet", dependencies: ["FreshetLists", "os"]),
    .target(name: "FreshetTesting", dependencies: ["Freshet", "FreshetLists"]),
    .target(
      name: "FreshetHTTP",
      dependencies: [
        "Freshet", "FreshetLists", .target(name: "CLibCurl", condition: .when(platforms: [.linux])),
      ]),
    .systemLibrary(
      name: "CLibCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(
      name: "FreshetUI", dependencies: ["Freshet", "FreshetLists", "UIKit", "AppKit", "SwiftUI"]),

    // What both kinds of views share: batches and their rules, index paths, geometry.
    .target(name: "StubViews", path: "Stubs/StubViews"),
    .target(name: "UIKit", dependencies: ["StubViews"], path: "Stubs/UIKit"),
    .target(name: "AppKit", dependencies: ["StubViews"], path: "Stubs/AppKit"),
    .target(
      name: "SwiftUI", dependencies: ["StubViews", "UIKit", "AppKit"], path: "Stubs/SwiftUI"),
    // The lock of Apple's systems.
    .target(name: "os", path: "Stubs/os"),
    // Empty: what the compiler looks for where Testing and UIKit or AppKit are imported together.
    .target(name: "_Testing_UIKit", path: "Stubs/_Testing_UIKit"),
    .target(name: "_Testing_AppKit", path: "Stubs/_Testing_AppKit"),

    // The snippets that need Apple's systems.
    .target(name: "AppleSnippets", dependencies: ["Freshet", "FreshetUI"]),
    .testTarget(
      name: "FreshetUITests",
      dependencies: [
        "Freshet", "FreshetLists", "FreshetTesting", "FreshetUI", "AppleSnippets", "StubViews",
        "UIKit", "AppKit", "SwiftUI", "_Testing_UIKit", "_Testing_AppKit",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The snippets of SwiftUI: each a program of its own, as in the library's Snippets.
for name in ["Home", "Search", "SwiftUIScreen"] {
  package.targets.append(
    .executableTarget(
      name: "\(name)Snippet", dependencies: ["Freshet", "FreshetUI", "SwiftUI"],
      path: "Snippets/\(name)"))
}

// The example app.
package.targets.append(
  .executableTarget(
    name: "Quakes", dependencies: ["Freshet", "FreshetHTTP", "FreshetUI", "SwiftUI", "UIKit"],
    path: "Examples/Quakes"))

// The stand-ins are built as Apple's modules are: there, an async closure is not isolated as its
// caller is.
let standIns: Set = ["UIKit", "AppKit", "SwiftUI", "StubViews", "os"]

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
  if !standIns.contains(target.name) {
    target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
  }
}
