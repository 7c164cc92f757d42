// A table that shows a feed: each step is one batch, and only cells whose rows changed are touched.

#if canImport(UIKit) && !os(watchOS)
  import Freshet
  import FreshetUI
  import UIKit

  struct Letter: ListItem, Codable {
    let id: Int
    var subject: String
  }

  // snippet.show
  final class LettersViewController: UITableViewController {
    let letters: FeedController<Letter>
    private var source: TableSource<Letter>?

    init(_ letters: FeedController<Letter>) {
      self.letters = letters
      super.init(nibName: nil, bundle: nil)
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "letter")
      let source = TableSource(tableView, letters) { tableView, path, letter in
        let cell = tableView.dequeueReusableCell(withIdentifier: "letter", for: path)
        var content = cell.defaultContentConfiguration()
        content.text = letter.subject
        cell.contentConfiguration = content
        return cell
      }
      source.delete = { [letters] in try? await letters.remove($0.id) { /* tell the server */  } }
      source.move = { [letters] in letters.moveLocally($0.id, after: $1?.id) }
      self.source = source
      Task { await letters.refresh() }
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt path: IndexPath) {
      // A gap loads its rows, and an edge that failed asks again.
      if source?.presenter.load(at: RowPath(path)) == false, let letter = source?.item(at: path) {
        print("Opens \(letter.subject)")
      }
    }
    // snippet.hide

    // snippet.target
    override func tableView(
      _ tableView: UITableView, targetIndexPathForMoveFromRowAt from: IndexPath,
      toProposedIndexPath proposed: IndexPath
    ) -> IndexPath {
      source?.tableView(
        tableView, targetIndexPathForMoveFromRowAt: from, toProposedIndexPath: proposed) ?? proposed
    }
    // snippet.hide

    required init?(coder: NSCoder) { nil }
    // snippet.show
  }
  // snippet.hide

  struct Track: ListItem {
    let id: Int
    var title: String
    var position: Double

    func placed(below above: Track?) -> Track { self }
  }

  func show(_ error: any Error) {}

  @MainActor
  func letReadersOrder(
    _ results: ResultsController<Track, MemoryStore<Track>.Request>, in store: MemoryStore<Track>,
    by source: TableSource<Track>
  ) {
    // snippet.order
    source.move = { [results, store] track, above in
      let move = results.move(track.id, after: above?.id) {
        try await store.write(updating: [track.placed(below: above)])
      }
      Task {
        // It is back by then.
        do { try await move.value } catch { show(error) }
      }
    }
    // snippet.hide
  }
#endif
