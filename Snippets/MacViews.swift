// A table and a collection of a Mac that show a feed.

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import Freshet
  import FreshetUI

  struct Note: ListItem, Codable {
    let id: Int
    var text: String
  }

  final class NoteItem: NSCollectionViewItem {
    func show(_ note: Note) { view = NSTextField(labelWithString: note.text) }
  }

  @MainActor
  func show(
    _ notes: FeedController<Note>, on tableView: NSTableView
  ) -> MacTableSource<Note> {
    // snippet.show
    let source = MacTableSource(
      tableView, notes,
      title: { _, name in NSTextField(labelWithString: name) },
      cell: { _, _, note in NSTextField(labelWithString: note.text) })
    // snippet.hide
    return source
  }

  @MainActor
  func show(
    _ notes: FeedController<Note>, on collectionView: NSCollectionView
  ) -> MacCollectionSource<Note> {
    let id = NSUserInterfaceItemIdentifier("note")
    collectionView.register(NoteItem.self, forItemWithIdentifier: id)
    // snippet.show
    let source = MacCollectionSource(collectionView, notes) { collectionView, path, note in
      let item = collectionView.makeItem(withIdentifier: id, for: path)
      (item as? NoteItem)?.show(note)
      return item
    }
    // snippet.hide
    return source
  }
#endif
