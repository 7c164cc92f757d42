import Freshet
import FreshetUI
import SwiftUI

/// Both halves of the earth as one list, by day; gaps, failures and more rows come by themselves.
struct HomeScreen: View {
  let model: QuakeModel
  @State private var selected: Quake?

  var body: some View {
    NavigationStack {
      LiveListView(model.home) { quake in
        Button {
          selected = quake
        } label: {
          QuakeRow(quake: quake)
        }
        .swipeActions { StarButton(model: model, quake: quake) }
      }
      .sectionHeader { day in Text(day).font(.headline) }
      .gapRow { gap in
        Button(
          gap.state == .loading ? "Loading…" : "There may be more quakes here", action: gap.load)
      }
      .navigationTitle("Quakes")
      .navigationDestination(item: $selected) { quake in
        QuakeDetail(model: model, row: model.home.row(quake.id))
      }
      .overlay(alignment: .top) { NewQuakes(model: model) }
    }
  }
}

/// Says how many quakes wait above the list, and shows them.
private struct NewQuakes: View {
  let model: QuakeModel

  var body: some View {
    let count = model.home.state.newItems
    if count > 0 {
      Button("\(count) new") {
        for half in model.halves { half.showNew() }
      }
    }
  }
}

/// Stars a quake, or takes the star away.
struct StarButton: View {
  let model: QuakeModel
  let quake: Quake

  var body: some View {
    Button(
      quake.isStarred ? "Unstar" : "Star", systemImage: quake.isStarred ? "star.slash" : "star"
    ) {
      Task { try? await model.star(quake, !quake.isStarred) }
    }
  }
}
