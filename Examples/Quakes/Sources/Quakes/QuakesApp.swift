import SwiftUI

@main
struct QuakesApp: App {
  @State private var model = QuakeModel(server: QuakeModel.demoServer)

  var body: some Scene {
    WindowGroup {
      TabView {
        HomeScreen(model: model).tabItem { Label("Home", systemImage: "globe") }
        SearchScreen(model: model).tabItem { Label("Search", systemImage: "magnifyingglass") }
        #if canImport(UIKit)
          QuakeTable(model: model).tabItem { Label("Table", systemImage: "tablecells") }
        #endif
      }
      .task { await model.run() }
    }
  }
}
