#if canImport(SwiftUI) && !os(watchOS)
  internal import Freshet
  internal import SwiftUI

  /// The row at the top of a list, between the list's view and a binding outside of it.
  ///
  /// The list's view never reads the binding: what it says while the reader scrolls makes no row
  /// anew.
  @MainActor
  final class ReaderPlace<ID: Hashable & Sendable> {
    private var place = ScrollTarget<ID>(nil)
    private var binding: Binding<ID?>?
    /// Goes to the row that is wanted, if the view can.
    var go: () -> Void = {}

    nonisolated init() {}

    /// Somebody outside wants a row, or says again which one they were told of.
    func want(_ id: ID?, by binding: Binding<ID?>) {
      self.binding = binding
      place.want(id)
      go()
    }

    /// Another list is shown.
    ///
    /// - Parameter binding: where the place in it is told.
    func startAnew(with binding: Binding<ID?>?) {
      self.binding = binding
      place.startAnew()
    }

    /// The row to scroll to, which is at the top from now on.
    ///
    /// - Parameters:
    ///   - height: how much of the view is visible; 0 where it is in no window.
    ///   - path: where a row stands; `nil` for one that is not there yet.
    func take<Path>(inHeight height: Double, _ path: (ID) -> Path?) -> Path? {
      guard let path = place.goal(inHeight: height).flatMap(path) else { return nil }
      place.arrive()
      return path
    }

    /// The reader begins to scroll by hand.
    func leave() { place.leave() }

    /// The reader sees a row at the top.
    func see(_ id: @autoclosure () -> ID?) {
      guard let binding, let top = id(), let news = place.see(top) else { return }
      binding.wrappedValue = news
    }
  }

  /// Reads the binding of a reader's place, in a view of its own.
  struct PlaceReader<ID: Hashable & Sendable>: View {
    let binding: Binding<ID?>
    let place: ReaderPlace<ID>

    var body: some View {
      Color.clear.onChange(of: binding.wrappedValue, initial: true) { _, id in
        place.want(id, by: binding)
      }
    }
  }
#endif
