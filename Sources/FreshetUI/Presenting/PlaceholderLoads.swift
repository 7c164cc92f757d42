internal import Freshet
internal import FreshetLists

/// Decides what to load if placeholders are on screen.
///
/// A place is loaded as long as rows arrive there, and never again by itself after a failure (rule
/// R4).
struct PlaceholderLoads {
  /// What to load.
  enum Load: Equatable {
    case previous
    case next
    /// The rows around a row of the whole list.
    case row(Int)
    case gap(Gap.ID, from: Gap.Side)
  }

  /// How many rows were not loaded in each place when it was last loaded.
  private var counts: [PlaceholderRow.Place: Int] = [:]

  /// Follows a list; if its rows changed, all places but the one above are worth another try.
  ///
  /// A load of the rows above may be a refresh, which changes rows without end.
  mutating func follow(_ state: ListState, isChanged: Bool) {
    if state.refresh.failure != nil {
      counts = [:]
    } else if isChanged {
      counts = counts.filter { $0.key == .above }
    }
  }

  /// Returns whether rows arrived in a place since it was last loaded, or it was never loaded.
  func isDue(_ place: PlaceholderRow.Place, in state: ListState) -> Bool {
    counts[place] != state.count(of: place)
  }

  /// Returns what to load for a placeholder; `nil` if it is being loaded, failed or is the end.
  ///
  /// - Parameter index: the index of the placeholder in the whole list, if the list can load the
  ///   rows around it.
  mutating func load(
    for row: PlaceholderRow, at index: Int? = nil, in state: ListState
  ) -> Load? {
    guard let edge = target(of: row, in: state) else { return nil }
    counts[row.place] = state.count(of: row.place)
    return index.map { .row($0) } ?? edge
  }

  private func target(of row: PlaceholderRow, in state: ListState) -> Load? {
    // A load of an edge may begin with a refresh.
    let canLoad = state.refresh.failure == nil
    switch row.place {
    case .above: return canLoad && state.previous == .idle ? .previous : nil
    case .below: return canLoad && state.next == .idle ? .next : nil
    case .gap(let id):
      guard state.gaps[id] == .idle else { return nil }
      let isNearTop = row.index < (state.gapSizes[id]?.count ?? 0) / 2
      return .gap(id, from: isNearTop ? .above : .below)
    }
  }
}
