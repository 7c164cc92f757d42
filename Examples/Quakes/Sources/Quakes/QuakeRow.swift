import SwiftUI

/// A quake in a list.
struct QuakeRow: View {
  let quake: Quake

  var body: some View {
    HStack {
      Text(quake.magnitude).font(.title.monospacedDigit())
      VStack(alignment: .leading) {
        Text(quake.properties.place).font(.headline)
        Text(quake.time, style: .time).foregroundStyle(.secondary)
      }
      Spacer()
      if quake.isStarred { Image(systemName: "star.fill").foregroundStyle(.yellow) }
    }
  }
}
