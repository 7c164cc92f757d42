import Freshet
import FreshetUI
import Testing
import UIKit

@testable import AppleSnippets

/// What the articles show, run.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct SnippetTests {
  @Test
  func `the ported table shows what is written`() async throws {
    func tremor(_ id: Int, _ day: String) -> Tremor {
      Tremor(id: id, place: "place \(id)", day: day)
    }
    let store = MemoryStore((0..<30).map { tremor($0, "2024") })
    let controller = TremorsViewController(
      ResultsController(
        store: store, arrangement: .sorted(by: \.id).sectioned(by: \.day), window: .zero))
    let view: UITableView = controller.tableView
    view.frame = CGRect(x: 0, y: 0, width: 100, height: 200)
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    controller.viewDidLoad()
    while controller.tremors.fetchedObjects.count < 30 { await Task.yield() }
    var batch = ChangeBatch<Tremor>()
    batch.add(tremor(40, "2023"), as: .insert)
    batch.addDeletion(of: 3)
    try await store.write(batch)
    while controller.tremors.sections.count < 2 { await Task.yield() }
    #expect(view.numberOfRows(inSection: 0) == 1 && view.numberOfRows(inSection: 1) == 29)
    let line = view.visibleCells.first?.contentConfiguration as? UIListContentConfiguration
    #expect(line?.text == "place 40" && view.stub.violations == [])
  }

  @Test
  func `the table of a feed loads it, and opens what is tapped`() async {
    let feed = FeedController<Letter> { (_: PageRequest<Int>) in
      Page((0..<5).map { Letter(id: $0, subject: "letter \($0)") }, next: nil)
    }
    let controller = LettersViewController(feed)
    let view: UITableView = controller.tableView
    view.frame = CGRect(x: 0, y: 0, width: 100, height: 200)
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    controller.viewDidLoad()
    while feed.items.count < 5 { await Task.yield() }
    view.stubDrag(IndexPath(row: 0, section: 0), to: IndexPath(row: 4, section: 0))
    #expect(feed.items.map(\.id) == [1, 2, 3, 4, 0])
    controller.tableView(view, didSelectRowAt: IndexPath(row: 0, section: 0))
    #expect(view.stub.violations == [])
  }

  @Test
  func `the collection of a feed shows its end`() async {
    let feed = FeedController<Photo> { (_: PageRequest<Int>) in
      Page((0..<5).map { Photo(id: $0, title: "photo \($0)") }, next: nil)
    }
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: 400),
      collectionViewLayout: UICollectionViewCompositionalLayout())
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    let source = show(feed, on: view)
    await feed.refresh()
    #expect(view.visibleCells.count == 6)
    let line = view.visibleCells.last?.contentConfiguration as? UIListContentConfiguration
    #expect(line?.text == "That is all." && view.stub.violations == [])
    _ = source
  }
}
