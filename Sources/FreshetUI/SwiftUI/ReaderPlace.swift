#if canImport(SwiftUI) && !os(watchOS)
  internal import Freshet
  internal import SwiftUI

  /// The row at the top of a list, shared by the list's view and a binding outside it.
  ///
  /// The list's view never reads the binding, so writing to it while the reader scrolls updates no
  /// rows.
  @MainActor
  final class ReaderPlace<ID: Hashable & Sendable> {
    private var place = ScrollTarget<ID>(nil)
    private var binding: Binding<ID?>?
    /// The action that scrolls to the wanted row, if the view can.
    var go: () -> Void = {}
    /// Whether SwiftUI is updating the view of the list.
    private var isUpdating = false
    /// The row to write to a binding once the update is over.
    private var unwritten: (binding: Binding<ID?>, id: ID)?

    nonisolated init() {}

    /// Performs an update of the list's view, during which no binding may be written.
    func updating(_ update: () -> Void) {
      let wasUpdating = isUpdating
      isUpdating = true
      update()
      isUpdating = wasUpdating
    }

    /// Records the binding's row, which is a request or the row that was written to it.
    func want(_ id: ID?, by binding: Binding<ID?>) {
      self.binding = binding
      unwritten = nil
      place.want(id)
      go()
    }

    /// Prepares for another list.
    ///
    /// - Parameter binding: the binding to which the place in that list is written.
    func startAnew(with binding: Binding<ID?>?) {
      self.binding = binding
      unwritten = nil
      place.startAnew()
    }

    /// Returns the row to scroll to, which is at the top from now on.
    ///
    /// - Parameters:
    ///   - height: the height of the visible part of the view; 0 if it is in no window.
    ///   - path: returns the path of a row; `nil` if the row does not exist yet.
    func take<Path>(inHeight height: Double, _ path: (ID) -> Path?) -> Path? {
      guard let path = place.goal(inHeight: height).flatMap(path) else { return nil }
      place.arrive()
      unwritten = nil
      return path
    }

    /// Records that the reader begins to scroll by hand.
    func leave() { place.leave() }

    /// Records the row that the reader sees at the top.
    func see(_ id: @autoclosure () -> ID?) {
      guard let binding, let top = id(), let news = place.see(top) else { return }
      guard isUpdating else {
        unwritten = nil
        return binding.wrappedValue = news
      }
      if unwritten == nil { Task { write() } }
      unwritten = (binding, news)
    }

    private func write() {
      guard let (binding, id) = unwritten else { return }
      unwritten = nil
      binding.wrappedValue = id
    }
  }

  /// A separate view that reads the binding of a reader's place.
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
