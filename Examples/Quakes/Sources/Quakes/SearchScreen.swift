import Freshet
import FreshetUI
import SwiftUI

/// Quakes whose place holds a text.
struct SearchScreen: View {
  let model: QuakeModel

  var body: some View {
    NavigationStack {
      LiveListView(model.found) { quake in
        QuakeRow(quake: quake)
      }
      .emptyList {
        ContentUnavailableView("No quakes found", systemImage: "magnifyingglass")
      }
      .searchable(model.found, prompt: "Place") { QuakeQuery(text: $0.lowercased()) }
      .navigationTitle("Search")
      .task { await model.found.refresh() }
    }
  }
}
