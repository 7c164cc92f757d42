import Freshet
import SwiftUI

/// One quake: it hears of changes of its own row alone, be they the server's or the reader's.
struct QuakeDetail: View {
  let model: QuakeModel
  let row: ObservableRow<Quake>
  @State private var notice: ErrorNotice?

  var body: some View {
    if let quake = row.item {
      VStack(alignment: .leading, spacing: 12) {
        QuakeRow(quake: quake).opacity(row.isPending ? 0.5 : 1)
        Text(quake.properties.status == "reviewed" ? "Reviewed" : "Not reviewed yet")
        Button(quake.isStarred ? "Take the star away" : "Star it") {
          Task { await star(quake) }
        }
        if let notice { Text(notice.message).foregroundStyle(.red) }
        Spacer()
      }
      .padding()
      .navigationTitle(quake.properties.place)
    } else {
      ContentUnavailableView("This quake is gone", systemImage: "questionmark")
    }
  }

  private func star(_ quake: Quake) async {
    notice = nil
    do {
      try await model.star(quake, !quake.isStarred)
    } catch {
      notice = ErrorNotice(error)
    }
  }
}
