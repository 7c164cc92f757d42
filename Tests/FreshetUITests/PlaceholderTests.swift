import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI

/// W6: rows that are not loaded have placeholders, which give way to rows.
@MainActor
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct PlaceholderTests {
  let surface = NotedSurface()

  static func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

  private func state(above: Int, gap: Int, below: Int) -> ListState {
    var state = ListState()
    (state.rowsAbove, state.rowsBelow) = (.exact(above), .estimated(below))
    (state.gaps, state.gapSizes) = ([1: .idle], [1: .exact(gap)])
    return state
  }

  private func list(_ ids: [Int]) -> ListSnapshot<ListRow<Post>> {
    ScriptedDisplay.list([("", ids.map { .row($0) })])
  }

  @Test
  func `W6: placeholders give way to rows, and nothing on screen moves`() {
    let display = ScriptedDisplay(
      [("", [.row(1), .row(2), .row(-1), .row(3)])], state: state(above: 3, gap: 4, below: 5))
    let presenter = surface.present(display)
    #expect(presenter.layout.numberOfRows(in: 0) == 4)
    presenter.options.showsPlaceholders = true
    #expect(presenter.layout.numberOfRows(in: 0) == 15)
    #expect(presenter.layout.row(at: Self.path(0)) == .placeholder(PlaceholderRow(.above, 0)))
    #expect(presenter.layout.row(at: Self.path(6)) == .placeholder(PlaceholderRow(.gap(1), 0)))
    #expect(presenter.layout.row(at: Self.path(14)) == .placeholder(PlaceholderRow(.below, 4)))
    surface.offset = 30
    func check(_ ids: [Int], _ state: ListState) {
      display.show(list(ids), state: state)
      #expect(surface.offset == 30 && presenter.topItem?.id == 1)
      #expect(presenter.layout.numberOfRows(in: 0) == 15)
    }
    check([12, 13, 1, 2, -1, 3], state(above: 1, gap: 4, below: 5))
    check([12, 13, 1, 2, 4, -1, 5, 3], state(above: 1, gap: 2, below: 5))
    check([12, 13, 1, 2, 4, 6, 7, 5, 3, 8, 9], state(above: 1, gap: 0, below: 3))
    #expect(!surface.calls.contains("reload"))
    // A total that is corrected moves nothing above it.
    display.show(
      list([12, 13, 1, 2, 4, 6, 7, 5, 3, 8, 9]), state: state(above: 1, gap: 0, below: 9))
    #expect(surface.offset == 30 && presenter.layout.numberOfRows(in: 0) == 21)
    display.show(
      list([12, 13, 1, 2, 4, 6, 7, 5, 3, 8, 9]), state: state(above: 1, gap: 0, below: 900_000))
    #expect(surface.calls.last == "reload" && surface.offset == 30)
    #expect(presenter.layout.numberOfRows(in: 0) == 900_012)
  }

  @Test
  func `W6: a placeholder on screen loads what is nearest, unless that failed`() async {
    var state = state(above: 3, gap: 6, below: 5)
    let display = ScriptedDisplay([("", [.row(1), .row(-1), .row(2)])], state: state)
    let presenter = surface.present(display)
    presenter.options.showsPlaceholders = true
    surface.offset = 1_000
    // The placeholders that were on screen at first.
    #expect(await eventually { display.pages == ["1 from above"] })
    func load(_ row: Int, _ page: String?) async {
      let count = display.pages.count
      presenter.willDisplay(Self.path(row))
      if let page {
        #expect(await eventually { display.pages.count == count + 1 && display.pages.last == page })
      } else {
        await Task.yield()
        #expect(display.pages.count == count)
      }
    }
    await load(2, "previous")
    await load(5, "1 from above")
    await load(9, "1 from below")
    await load(11, "next")
    // The row of the gap itself is loaded by hand.
    await load(4, nil)
    (state.previous, state.next) = (.loading, .failed(.source(ScriptedError())))
    state.gaps[1] = .loading
    display.show(list([1, -1, 2]), state: state)
    for row in [2, 5, 9, 11] { await load(row, nil) }
  }

  @Test
  func `W6: a list that starts in the middle opens at its first row`() async {
    let display = ScriptedDisplay([])
    let presenter = surface.present(display)
    presenter.options.showsPlaceholders = true
    display.show(list([1, 2, -1, 3]), state: state(above: 50, gap: 4, below: 900))
    #expect(presenter.topItem?.id == 1)
    presenter.willDisplay(Self.path(0))
    #expect(await eventually { surface.offset == 500 })
    #expect(presenter.topItem?.id == 1 && !display.pages.contains("previous"))
    // Rows that are inserted above the gap take the places of its placeholders.
    surface.offset = 520
    display.show(list([1, 2, 4, 5, -1, 3]), state: state(above: 50, gap: 2, below: 900))
    #expect(surface.offset == 520 && presenter.topItem?.id == 4)
  }

  @Test
  func `W6: placeholders keep the place of rows that are unloaded`() {
    let display = ScriptedDisplay(
      [("", [1, 2, 3, 4, 5, -1, 20, 21].map { .row($0) })],
      state: state(above: 0, gap: 10, below: 0))
    let presenter = surface.present(display)
    presenter.options.showsPlaceholders = true
    surface.offset = 20
    #expect(presenter.topItem?.id == 3 && presenter.layout.numberOfRows(in: 0) == 17)
    display.show(list([1, -1, 20, 21]), state: state(above: 0, gap: 14, below: 0))
    #expect(surface.offset == 20 && presenter.layout.numberOfRows(in: 0) == 17)
    // Rows that the source removed have none: the next row takes their place.
    display.show(list([1, 6, 7, 8, 9, -1, 20, 21]), state: state(above: 0, gap: 10, below: 0))
    surface.offset = 10
    display.show(list([1, -1, 20, 21]), state: state(above: 0, gap: 1, below: 0))
    #expect(presenter.topItem?.id == 20, "\(surface.offset)")
    display.show(list([1, -1, 6, 7, 8, 9, 20]), state: state(above: 0, gap: 10, below: 0))
    surface.offset = 110
    #expect(presenter.topItem?.id == 6)
    display.show(list([1, -1, 20]), state: state(above: 0, gap: 10, below: 0))
    #expect(surface.visiblePaths.contains { presenter.layout.row(at: $0)?.item?.id == 20 })
  }

  @Test
  func `W6: rows that are held back have no placeholders`() {
    var state = state(above: 3, gap: 4, below: 0)
    (state.previous, state.newItems) = (.end, 3)
    let display = ScriptedDisplay([("", [.row(1), .row(-1)])], state: state)
    let presenter = surface.present(display)
    presenter.options.showsPlaceholders = true
    #expect(presenter.layout.numberOfRows(in: 0) == 5)
  }

  @Test
  func `R4: placeholders on screen do not repeat a load that failed`() {
    var state = state(above: 50, gap: 10, below: 40)
    var loads = PlaceholderLoads()
    func load(_ place: PlaceholderRow.Place, _ index: Int = 0) -> PlaceholderLoads.Load? {
      loads.load(for: PlaceholderRow(place, index), in: state)
    }
    func due() -> [PlaceholderRow.Place] {
      [.above, .gap(1), .below].filter { loads.isDue($0, in: state) }
    }
    #expect(due() == [.above, .gap(1), .below])
    #expect(load(.above) == .previous && load(.below) == .next)
    #expect(load(.gap(1), 4) == .gap(1, from: .above))
    #expect(load(.gap(1), 5) == .gap(1, from: .below))
    #expect(due() == [])
    // Rows arrived, elsewhere or there.
    loads.follow(state, isChanged: false)
    #expect(due() == [])
    loads.follow(state, isChanged: true)
    #expect(due() == [.gap(1), .below])
    state.rowsAbove = .exact(40)
    #expect(due() == [.above, .gap(1), .below])
    // A load above may begin with a refresh, which failed: only the gap is loaded.
    state.refresh = .failed(.source(ScriptedError()))
    loads.follow(state, isChanged: false)
    #expect(load(.above) == nil && load(.below) == nil && load(.gap(1)) != nil)
    state.refresh = .idle
    for load in [LoadState.loading, .failed(.source(ScriptedError())), .end] {
      (state.previous, state.next, state.gaps[1]) = (load, load, load)
      for place in [PlaceholderRow.Place.above, .gap(1), .below] {
        #expect(loads.load(for: PlaceholderRow(place, 0), in: state) == nil, "\(load)")
      }
    }
  }

  /// Scrolls to a row, and returns whether four rows, whose ids are their indices, are shown there.
  private func scroll(_ presenter: ListPresenter<Post>, to row: Int) async -> Bool {
    surface.offset = Double(row) * 10
    for path in surface.visiblePaths { presenter.willDisplay(path) }
    return await eventually {
      surface.visiblePaths.map { presenter.layout.row(at: $0)?.item?.id }
        == (row..<(row + 4)).map(Optional.some)
    }
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page], SeededGenerator.seeds(10))
  func `W3: placeholders far from all rows are loaded where the reader is`(
    paging: ScriptedPaging, seed: Int
  ) async {
    var random = SeededGenerator(seed: seed)
    let server = ScriptedServer((0..<5_000).map { Post(id: $0) })
    server.countRows()
    let feed = FeedController(
      server.source(paging),
      configuration: FeedConfiguration(
        pageSize: 20, prefetchDistance: 0, maximumRows: random.oneIn(2) ? 100 : nil))
    let options = ScreenOptions(showsPlaceholders: true)
    // W7: a list that shows another value for each item has the same placeholders.
    let mapped = ListController(feed.list.map { $0 })
    let isMapped = !random.oneIn(2)
    let presenter =
      isMapped
      ? ListPresenter(mapped, on: surface, options: options)
      : ListPresenter(feed, on: surface, options: options)
    surface.rows = { [unowned presenter] in
      (0..<presenter.layout.numberOfRows(in: 0)).map(Self.path)
    }
    await feed.refresh()
    // A view shows the items before it reports one of them. It may show a row that loads before.
    #expect(await eventually { presenter.topItem != nil })
    presenter.willDisplay(Self.path(0))
    #expect(await eventually { presenter.layout.numberOfRows(in: 0) == 5_000 })
    for _ in 0..<5 {
      let requests = server.requests.count
      let row = Int.random(in: 0..<4_996, using: &random)
      let isFilled = await scroll(presenter, to: row)
      #expect(isFilled, "seed \(seed): \(row), \(surface.offset), \(feed.value.state)")
      // Two pages that adjoin have a gap between them until that is proven.
      #expect(await eventually { presenter.layout.numberOfRows(in: 0) == 5_000 })
      // A page beside a loaded one is read with that one. A list made of others loads ahead at
      // both ends of its rows.
      let most = (paging == .page ? 6 : 3) + (isMapped ? 2 : 0)
      #expect(server.requests.count <= requests + most, "seed \(seed): \(row)")
    }
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `W6: placeholders on screen fill, wherever the reader scrolls`(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let feed = FeedController(
      startingAt: random.oneIn(2) ? 50 : nil,
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0)
    ) { (request: PageRequest<Int>) in
      // Keys are indices; negative ones lead upwards.
      let key = request.key ?? 0
      let range = key < 0 ? max(0, -key - 10)..<(-key) : key..<min(100, key + 10)
      var page = Page(
        range.map { Post(id: $0) }, next: range.upperBound < 100 ? range.upperBound : nil,
        previous: range.lowerBound > 0 ? -range.lowerBound : nil)
      (page.total, page.rowsAbove) = (.exact(100), .exact(range.lowerBound))
      return page
    }
    let presenter = ListPresenter(
      feed, on: surface, options: ScreenOptions(showsPlaceholders: true))
    surface.rows = { [unowned presenter] in
      (0..<presenter.layout.numberOfRows(in: 0)).map(Self.path)
    }
    await feed.refresh()
    presenter.willDisplay(Self.path(0))
    #expect(await eventually { presenter.layout.numberOfRows(in: 0) == 100 })
    for _ in 0..<4 {
      let row = Int.random(in: 0..<97, using: &random)
      let isFilled = await scroll(presenter, to: row)
      #expect(isFilled, "seed \(seed): \(row), \(surface.offset), \(feed.value.state)")
      #expect(presenter.layout.numberOfRows(in: 0) == 100)
    }
  }
}
