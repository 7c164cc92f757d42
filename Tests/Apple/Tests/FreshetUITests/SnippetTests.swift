import Foundation
import Freshet
import FreshetTesting
import Testing
import UIKit

@testable import AppleSnippets

/// What the articles show, run.
@MainActor @Suite(.timeLimit(.minutes(5)))
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
    #expect(await eventually { controller.tremors.fetchedObjects.count >= 30 })
    var batch = ChangeBatch<Tremor>()
    batch.add(tremor(40, "2023"), as: .insert)
    batch.addDeletion(of: 3)
    try await store.write(batch)
    #expect(await eventually { controller.tremors.sections.count >= 2 })
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
    #expect(await eventually { feed.items.count >= 5 })
    view.stubDrag(IndexPath(row: 0, section: 0), to: IndexPath(row: 4, section: 0))
    #expect(feed.items.map(\.id) == [1, 2, 3, 4, 0])
    controller.tableView(view, didSelectRowAt: IndexPath(row: 0, section: 0))
    #expect(view.stub.violations == [])
  }

  @Test
  func `a row that is dragged below the list's own stands at its end`() async {
    let server = ScriptedServer((0..<3).map { Letter(id: $0, subject: "letter \($0)") })
    let feed = FeedController(
      server.source(.cursor), configuration: FeedConfiguration(pageSize: 2))
    let controller = LettersViewController(feed)
    let view: UITableView = controller.tableView
    view.frame = CGRect(x: 0, y: 0, width: 100, height: 400)
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    controller.viewDidLoad()
    #expect(await eventually { feed.items.count >= 3 })
    server.failNext(with: ScriptedError())
    await feed.refresh()
    // Above the rows of the list stands the edge that failed.
    #expect(view.numberOfSections == 2)
    let reloads = view.stub.reloads
    view.stubDrag(IndexPath(row: 2, section: 1), to: IndexPath(row: 0, section: 0))
    #expect(feed.items.map(\.id) == [2, 0, 1])
    #expect(view.stub.violations == [] && view.stub.reloads == reloads)
  }

  /// The lines of code of an article between two lines of it.
  private func lines(
    of article: String, from begin: String, to end: String
  ) throws -> [String] {
    var root = URL(filePath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let text = try String(contentsOf: root.appending(path: article), encoding: .utf8)
    let start = try #require(text.range(of: begin))
    let rest = text[start.lowerBound...]
    return rest[..<(try #require(rest.range(of: end))).lowerBound].split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test
  func `a screen with all a list can be is under 25 lines in the README`() throws {
    let screen = try lines(of: "README.md", from: "let books = FeedFamily", to: "```")
    #expect(screen.contains("struct Library: View {") && screen.count == 17)
  }

  @Test
  func `a table of fetched results is ported by under ten lines`() throws {
    let article = "Sources/Freshet/Freshet.docc/UIKitAndAppKit.md"
    let old = "final class TremorsViewController: UITableViewController, NS"
    let new = "final class TremorsViewController: UITableViewController {"
    var before = Set(try lines(of: article, from: old, to: "```"))
    let after = try lines(of: article, from: new, to: "```")
    // What it does to its cells stays as it was.
    before.formUnion(after.drop { !$0.hasPrefix("func configure") })
    #expect(after.filter { !before.contains($0) }.count == 8)
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
