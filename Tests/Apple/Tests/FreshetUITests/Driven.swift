import AppKit
import StubViews
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI

/// The views that are driven.
enum Kit: String, CaseIterable, Sendable {
  case table, collection, macTable, macCollection
}

/// A view on which a list is shown, and what it shows.
@MainActor
final class Driven {
  let presenter: ListPresenter<Post>
  private(set) var violations: () -> [String] = { [] }
  /// How many cells were asked for so far.
  private(set) var asked: () -> Int = { 0 }
  private(set) var reloads: () -> Int = { 0 }
  private(set) var batches: () -> Int = { 0 }
  /// What the visible cells show, top to bottom.
  private(set) var cells: () -> [(path: RowPath, text: String)] = { [] }
  /// The visible cells that are titles of sections.
  private(set) var titles: () -> [String] = { [] }
  private(set) var offset: () -> Double = { 0 }
  private(set) var scroll: (Double) -> Void = { _ in }
  private(set) var length: () -> Double = { 0 }
  private(set) var distance: (RowPath) -> Double = { _ in 0 }
  /// How much of the top is covered by the title that floats above a row.
  private(set) var covered: (RowPath) -> Double = { _ in 0 }
  /// Drags a row, on views where that can be done; what happens meanwhile is the last argument.
  private(set) var drag: ((RowPath, RowPath, () -> Void) -> Void)?
  /// What happens while the view asks for the cell of an item.
  let asking = Asking()
  /// Moves what was dragged in the list.
  var move: ((Post, _ after: Post?) -> Void)?
  private(set) var height: (RowPath) -> Double = { _ in 0 }
  /// Where the view has a row.
  private(set) var index: (RowPath) -> IndexPath = { IndexPath($0) }
  /// Which items are selected.
  private(set) var selectedIDs: () -> [Int] = { [] }
  /// Takes the view out of its window, or puts it back.
  private(set) var isInWindow: (Bool) -> Void = { _ in }
  private(set) var select: ([IndexPath]) -> Void = { _ in }
  private(set) var selected: () -> [IndexPath] = { [] }
  private var kept: [AnyObject] = []
  /// Whether the view lays out a batch where the reader's place is, not at the old position first.
  let keepsPlaceInBatch: Bool

  static var height: Double { 200 }

  convenience init(
    _ kit: Kit, _ display: ScriptedDisplay,
    options: ScreenOptions = ScreenOptions(edges: .activeAndEnd), estimate: Double? = nil,
    isInWindow: Bool = true
  ) {
    self.init(
      kit, display.controller, options: options, estimate: estimate, isInWindow: isInWindow)
  }

  init(
    _ kit: Kit, _ list: ListController<some LiveList<Post>>,
    options: ScreenOptions = ScreenOptions(edges: .activeAndEnd), estimate: Double? = nil,
    isInWindow: Bool = true
  ) {
    defer { if isInWindow { self.isInWindow(true) } }
    keepsPlaceInBatch = kit == .collection
    let frame = CGRect(x: 0, y: 0, width: 100, height: Self.height)
    switch kit {
    case .table:
      let view = UITableView(frame: frame, style: .plain)
      view.register(TableCell.self, forCellReuseIdentifier: "post")
      let source = TableSource(
        view, list, options: options,
        other: { view, path, row in
          Self.cell(view, path, text(row))
        }
      ) { [asking] view, path, post in
        asking.onCell()
        return Self.cell(view, path, text(.item(post)))
      }
      presenter = source.presenter
      source.move = { [unowned self] in move?($0, $1) }
      drag = { view.stubDrag(IndexPath($0), to: IndexPath($1), while: $2) }
      let window = UIWindow(frame: frame)
      drive(view.stub, [view, source, window], estimate: estimate) { ($0 as? TableCell)?.text }
      (offset, scroll) = ({ view.contentOffset.y }, { view.contentOffset.y = $0 })
      self.isInWindow = { $0 ? window.addSubview(view) : view.removeFromSuperview() }
    case .collection:
      let view = UICollectionView(
        frame: frame, collectionViewLayout: UICollectionViewCompositionalLayout())
      view.register(CollectionCell.self, forCellWithReuseIdentifier: "post")
      let source = CollectionSource(
        view, list, options: options,
        other: { view, path, row in
          Self.cell(view, path, text(row))
        }
      ) { [asking] view, path, post in
        asking.onCell()
        return Self.cell(view, path, text(.item(post)))
      }
      presenter = source.presenter
      source.move = { [unowned self] in move?($0, $1) }
      drag = { view.stubDrag(IndexPath($0), to: IndexPath($1), while: $2) }
      let (window, delegate) = (UIWindow(frame: frame), Forwarder(source))
      view.delegate = delegate
      drive(view.stub, [view, source, window, delegate], estimate: estimate) {
        ($0 as? CollectionCell)?.text
      }
      (offset, scroll) = ({ view.contentOffset.y }, { view.contentOffset.y = $0 })
      self.isInWindow = { $0 ? window.addSubview(view) : view.removeFromSuperview() }
    case .macTable:
      let view = NSTableView(frame: frame)
      let source = MacTableSource(
        view, list, options: options,
        title: { _, name in NSTextField(labelWithString: "# \(name)") },
        other: { _, _, row in NSTextField(labelWithString: text(row)) }
      ) { [asking] _, _, post in
        asking.onCell()
        return NSTextField(labelWithString: text(.item(post)))
      }
      presenter = source.presenter
      let window = NSWindow()
      drive(
        view.stub, [view, source, window], path: { source.path(of: $0.row) },
        row: { path in
          let screen = source.presenter.layout
          return FlatLayout(screen, showsTitles: true).index(of: path)
        }
      ) { ($0 as? NSTextField)?.stringValue }
      (offset, scroll) = ({ view.stubOrigin.y }, { view.stubOrigin.y = $0 })
      covered = { path in
        FlatLayout(source.presenter.layout, showsTitles: true).title(above: path)
          .map { view.rect(ofRow: $0).height } ?? 0
      }
      self.isInWindow = { view.stubWindow = $0 ? window : nil }
    case .macCollection:
      let view = NSCollectionView(frame: frame)
      let id = NSUserInterfaceItemIdentifier("post")
      view.register(MacItem.self, forItemWithIdentifier: id)
      func item(_ view: NSCollectionView, _ path: IndexPath, _ text: String) -> NSCollectionViewItem
      {
        let item = view.makeItem(withIdentifier: id, for: path)
        (item as? MacItem)?.text = text
        return item
      }
      let source = MacCollectionSource(
        view, list, options: options,
        other: { view, path, row in
          item(view, path, text(row))
        }
      ) { [asking] view, path, post in
        asking.onCell()
        return item(view, path, text(.item(post)))
      }
      presenter = source.presenter
      let window = NSWindow()
      drive(view.stub, [view, source, window], estimate: estimate) { ($0 as? MacItem)?.text }
      (offset, scroll) = ({ view.stubOrigin.y }, { view.stubOrigin.y = $0 })
      self.isInWindow = { view.stubWindow = $0 ? window : nil }
    }
  }

  private func drive<Cell>(
    _ stub: StubRows<Cell>, _ objects: [AnyObject],
    path: @escaping (IndexPath) -> RowPath? = { RowPath($0) },
    row: ((RowPath) -> Int)? = nil, estimate: Double? = nil, text: @escaping (Cell) -> String?
  ) {
    kept = objects
    violations = { stub.violations }
    asked = { stub.cellsAsked }
    reloads = { stub.reloads }
    batches = { stub.batches }
    length = { stub.length }
    select = { for path in $0 { stub.select(path) } }
    selected = { stub.selectedPaths }
    selectedIDs = { [unowned presenter] in
      stub.selectedPaths.compactMap(path).compactMap { presenter.layout.row(at: $0)?.item?.id }
    }
    if let row { index = { IndexPath(row: row($0), section: 0) } }
    cells = {
      stub.visiblePaths.compactMap { place in
        path(place).map { (path: $0, text: stub.slot(place)?.cell.flatMap(text) ?? "no text") }
      }
    }
    titles = {
      stub.visiblePaths.filter { path($0) == nil }
        .compactMap { stub.slot($0)?.cell.flatMap(text) }
    }
    stub.estimate = estimate
    // Rows are of many heights, each of its own.
    stub.height = { [unowned presenter] place in
      guard let path = path(place), let row = presenter.layout.row(at: path) else { return 24 }
      return row.item.map { 30 + Double($0.id % 5) * 7 } ?? 40
    }
    height = { [unowned self] in
      let place = stub.place(of: index($0))
      return place.upperBound - place.lowerBound
    }
    distance = { [unowned self] place in
      stub.place(of: index(place)).lowerBound - offset()
    }
  }

  private static func cell(
    _ view: UITableView, _ path: IndexPath, _ text: String
  ) -> UITableViewCell {
    let cell = view.dequeueReusableCell(withIdentifier: "post", for: path)
    (cell as? TableCell)?.text = text
    return cell
  }

  private static func cell(
    _ view: UICollectionView, _ path: IndexPath, _ text: String
  ) -> UICollectionViewCell {
    let cell = view.dequeueReusableCell(withReuseIdentifier: "post", for: path)
    (cell as? CollectionCell)?.text = text
    return cell
  }
}

/// A delegate of an app, which forwards what a source needs.
private final class Forwarder: NSObject, UICollectionViewDelegate {
  private let source: CollectionSource<Post>

  init(_ source: CollectionSource<Post>) { self.source = source }

  func collectionView(
    _ collectionView: UICollectionView,
    targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint {
    source.collectionView(
      collectionView, targetContentOffsetForProposedContentOffset: proposedContentOffset)
  }
}

/// What happens while a view asks for a cell.
@MainActor
final class Asking { var onCell: () -> Void = {} }

final class TableCell: UITableViewCell { var text = "" }
final class CollectionCell: UICollectionViewCell { var text = "" }
final class MacItem: NSCollectionViewItem { var text = "" }

/// What a cell says of a row.
func text(_ row: ScreenRow<Post>) -> String {
  switch row {
  case .item(let post): "\(post)"
  case .gap(let gap, let load, _): "gap \(gap.id) \(load)"
  case .edge(let edge): "\(edge.id) \(edge.state)"
  case .placeholder(let row): "\(row.place) \(row.index)"
  }
}

/// Which row it is, whatever it shows.
func id(_ row: ScreenRow<Post>) -> String {
  switch row {
  case .item(let post): "\(post.id)"
  case .gap(let gap, _, _): "gap \(gap.id)"
  case .edge(let edge): "\(edge.id)"
  case .placeholder(let row): "\(row.place) \(row.index)"
  }
}
