#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
  internal import Freshet
  internal import FreshetLists
  internal import SwiftUI
  internal import UIKit

  typealias PlatformList = CollectionList

  /// A list on a `UICollectionView`.
  struct CollectionList<List: LiveList, Row: View>: UIViewRepresentable {
    let list: ListController<List>
    let row: (List.Item) -> Row
    let parts: LiveListParts
    let place: ReaderPlace<List.Item.ID>
    let options: ScreenOptions
    /// The binding to which the reader's place is written; never read here.
    var top: Binding<List.Item.ID?>?

    func makeCoordinator() -> CollectionListCoordinator<List, Row> {
      CollectionListCoordinator(self)
    }

    func makeUIView(context: Context) -> UICollectionView {
      context.coordinator.makeView(context.environment)
    }

    func updateUIView(_ view: UICollectionView, context: Context) {
      place.updating { context.coordinator.update(self, context.environment) }
    }
  }

  /// The coordinator between a collection view and SwiftUI.
  @MainActor
  final class CollectionListCoordinator<List: LiveList, Row: View>: NSObject,
    UICollectionViewDelegate
  {
    private var content: CollectionList<List, Row>
    private let rows: RowContent<List, Row>
    private var view: PlacedCollectionView?
    private var source: CollectionSource<List.Item>?

    init(_ content: CollectionList<List, Row>) {
      self.content = content
      rows = RowContent(row: content.row, parts: content.parts, environment: EnvironmentValues())
    }

    func makeView(_ environment: EnvironmentValues) -> UICollectionView {
      rows.environment = environment
      let view = PlacedCollectionView(frame: .zero, collectionViewLayout: makeLayout())
      self.view = view
      view.didLayOut = { [weak self] in self?.goToPlace() }
      view.allowsSelection = false
      // A list that is short, empty or failed can be pulled to refresh, too.
      view.alwaysBounceVertical = true
      #if !os(tvOS)
        view.keyboardDismissMode = .onDrag
      #endif
      view.delegate = self
      #if !os(tvOS)
        view.refreshControl = makeRefreshControl()
      #endif
      show(content.list, on: view)
      return view
    }

    /// Makes the layout of a plain list, in which headers stay at the top.
    ///
    /// Sections without a title have no header.
    private func makeLayout() -> UICollectionViewLayout {
      UICollectionViewCompositionalLayout { [weak self] section, environment in
        let title = self?.source?.presenter.layout.title(of: section)
        var configuration = UICollectionLayoutListConfiguration(appearance: .plain)
        configuration.headerMode = title == nil ? .none : .supplementary
        return .list(using: configuration, layoutEnvironment: environment)
      }
    }

    /// Applies changes around the list.
    ///
    /// Visible rows update themselves, and no cell is reconfigured.
    func update(_ content: CollectionList<List, Row>, _ environment: EnvironmentValues) {
      guard let view else { return }
      let isOther = content.list !== self.content.list
      self.content = content
      rows.update(row: content.row, parts: content.parts, environment: environment)
      source?.presenter.options = content.options
      if isOther {
        content.place.startAnew(with: content.top)
        show(content.list, on: view)
        view.contentOffset.y = -view.adjustedContentInset.top
      }
      content.place.go = { [weak self] in self?.goToPlace() }
      goToPlace()
    }

    private func show(_ list: ListController<List>, on view: UICollectionView) {
      let item = UICollectionView.CellRegistration<UICollectionViewListCell, List.Item> {
        [rows] cell, _, item in
        cell.contentConfiguration = UIHostingConfiguration { rows.view(of: item) }
      }
      let other = UICollectionView.CellRegistration<
        UICollectionViewListCell, ScreenRow<List.Item>
      > { [rows, weak list] cell, _, row in
        guard let list else { return }
        cell.contentConfiguration = UIHostingConfiguration { rows.view(of: row, in: list) }
      }
      let header = UICollectionView.SupplementaryRegistration<UICollectionViewListCell>(
        elementKind: UICollectionView.elementKindSectionHeader
      ) { [weak self] header, _, path in self?.configure(header, at: path) }
      let source = CollectionSource(
        view, list, options: content.options,
        other: { $0.dequeueConfiguredReusableCell(using: other, for: $1, item: $2) },
        cell: { $0.dequeueConfiguredReusableCell(using: item, for: $1, item: $2) })
      source.supplement = { view, _, path, _ in
        view.dequeueConfiguredReusableSupplementary(using: header, for: path)
      }
      self.source = source
      // The source is added first, so the update is on screen by then.
      list.followers.add(source) { [weak self] _, _, _ in self?.goToPlace() }
    }

    private func configure(_ header: UICollectionViewListCell, at path: IndexPath) {
      guard let title = source?.presenter.layout.title(of: RowPath(path).section) else { return }
      header.contentConfiguration = UIHostingConfiguration { rows.header(title) }
    }

    // MARK: - Refreshing

    #if !os(tvOS)
      private func makeRefreshControl() -> UIRefreshControl {
        let control = UIRefreshControl()
        control.addAction(
          UIAction { [weak self, weak control] _ in
            Task {
              await self?.refresh()
              control?.endRefreshing()
            }
          }, for: .valueChanged)
        return control
      }
    #endif

    private func refresh() async {
      if let refresh = rows.environment.refresh {
        await refresh()
      } else {
        await content.list.refresh(.head)
      }
    }

    // MARK: - The reader's place

    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { content.place.leave() }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
      // During a batch, the view has old rows and a new position.
      guard source?.presenter.placeToKeep == nil else { return }
      content.place.see(source?.presenter.topItem?.id)
    }

    func collectionView(
      _ collectionView: UICollectionView,
      targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
    ) -> CGPoint {
      source?.collectionView(
        collectionView, targetContentOffsetForProposedContentOffset: proposedContentOffset)
        ?? proposedContentOffset
    }

    private func goToPlace() {
      guard let view, let presenter = source?.presenter else { return }
      let height = view.window == nil ? 0 : view.bounds.height
      guard let row = content.place.take(inHeight: height, presenter.path(of:)) else { return }
      let path = IndexPath(row)
      // The row is placed below the bars and below the header that is pinned to the top.
      // Rows that pass while the view scrolls there are not reported one by one. This may be called
      // during layout, in which the view lays out again: the place was taken, so it ends here.
      content.place.updating {
        view.show(path, at: view.adjustedContentInset.top + view.headerHeight(of: path.section))
      }
    }

    // MARK: - Focus

    #if os(tvOS)
      /// Leaves the focus to the views of a row, which a cell with focus would hide from it.
      func collectionView(
        _ collectionView: UICollectionView, canFocusItemAt indexPath: IndexPath
      ) -> Bool { false }
    #endif
  }

  extension UICollectionView {
    /// Returns the height of a section's header; 0 if there is none.
    fileprivate func headerHeight(of section: Int) -> CGFloat {
      let header = layoutAttributesForSupplementaryElement(
        ofKind: UICollectionView.elementKindSectionHeader,
        at: IndexPath(item: 0, section: section))
      return header?.frame.height ?? 0
    }
  }

  /// A collection view that reports when it is laid out.
  final class PlacedCollectionView: UICollectionView {
    var didLayOut: () -> Void = {}

    override func layoutSubviews() {
      super.layoutSubviews()
      didLayOut()
    }
  }
#endif
