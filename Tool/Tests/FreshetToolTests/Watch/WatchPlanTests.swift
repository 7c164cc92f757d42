import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP
import Testing

@testable import FreshetTool

@Suite
struct WatchPlanTests {
  typealias Step = WatchPlan.Step

  /// The steps of a round in which the list grows by a page with each of them, to an end if there
  /// is one.
  static func steps(
    _ plan: inout WatchPlan, rows start: Int = 0, pageSize: Int = 50, total: Int? = nil,
    refreshed: Int? = nil
  ) -> [Step] {
    var standing = WatchPlan.Standing(rows: start, pageSize: pageSize)
    var steps: [Step] = []
    plan.begin()
    while steps.count < 10_000 {
      let step = plan.next(standing)
      steps.append(step)
      switch step {
      case .refresh: standing.rows = max(standing.rows, refreshed ?? pageSize)
      case .more: standing.rows += pageSize
      case .fill: break
      case .stop: return steps
      }
      if let total, standing.rows >= total {
        standing.rows = total
        standing.next = .end
      }
    }
    return steps
  }

  @Test
  func `a round refreshes once and loads as many pages as asked for`() {
    var plan = WatchPlan(WatchBounds(pages: .some(3)))
    #expect(Self.steps(&plan) == [.refresh, .more, .more, .stop(.pages(.some(3)))])
    #expect(Self.steps(&plan, rows: 150) == [.refresh, .stop(.pages(.some(3)))])
  }

  @Test
  func `cached pages count: no run after the first loads more of them`() {
    for rows in [250, 247, 260] {
      var plan = WatchPlan(WatchBounds(pages: .some(5)))
      #expect(Self.steps(&plan, rows: rows) == [.refresh, .stop(.pages(.some(5)))])
    }
    var plan = WatchPlan(WatchBounds(pages: .some(5)))
    #expect(
      Self.steps(&plan, rows: 100) == [.refresh, .more, .more, .more, .stop(.pages(.some(5)))])
  }

  @Test
  func `short pages are pages`() {
    var plan = WatchPlan(WatchBounds(pages: .some(3)))
    plan.begin()
    let steps = [1, 2, 3, 4].map { plan.next(.init(rows: $0, pageSize: 50)) }
    #expect(steps == [.refresh, .more, .more, .stop(.pages(.some(3)))])
  }

  @Test
  func `all pages end at the end, or at the most rows that are kept`() {
    var plan = WatchPlan(WatchBounds(pages: .all))
    #expect(Self.steps(&plan, total: 120).last == .stop(.end))
    #expect(Self.steps(&plan, rows: 120, total: 120) == [.refresh, .stop(.end)])
    let endless = Self.steps(&plan)
    #expect(endless.last == .stop(.rows(100_000, isAsked: false)))
    #expect(endless.count == 2001)
    var bounded = WatchPlan(WatchBounds(pages: .all, maxRows: 100, isMaxRowsAsked: true))
    #expect(Self.steps(&bounded) == [.refresh, .more, .stop(.rows(100, isAsked: true))])
  }

  @Test
  func `T8: a list that was cut does not end, and one that is exactly as long does`() {
    var plan = WatchPlan(WatchBounds(pages: .all, maxRows: 100, isMaxRowsAsked: true))
    #expect(Self.steps(&plan, total: 101).last == .stop(.rows(100, isAsked: true)))
    #expect(Self.steps(&plan, total: 100).last == .stop(.end))
    var pages = WatchPlan(WatchBounds(pages: .some(2)))
    #expect(Self.steps(&pages, total: 101).last == .stop(.pages(.some(2))))
    #expect(Self.steps(&pages, rows: 100, total: 100).last == .stop(.end))
  }

  @Test
  func `a gap that never closes is given up, and the next round goes on with it`() {
    var plan = WatchPlan(WatchBounds(pages: .all, gapPages: 3))
    let gap = Gap(id: 1)
    for _ in 0..<2 {
      plan.begin()
      let steps = (0..<5).map { _ in plan.next(.init(rows: 200, gap: gap, gaps: 1)) }
      #expect(
        steps == [.refresh, .fill(gap), .fill(gap), .fill(gap), .stop(.gaps(1))])
    }
    #expect(WatchEnd.gaps(1).failure?.code.rawValue == 75)
  }

  @Test
  func `R4: a failure ends the round, partial once the head was there`() {
    let error = FeedError.source(HTTPError.tooLarge(limit: 1))
    var plan = WatchPlan(WatchBounds(pages: .all))
    plan.begin()
    #expect(plan.next(.init()) == .refresh)
    #expect(plan.next(.init(outcome: .failed(error))) == .stop(.failed(error, isPartial: false)))
    plan.begin()
    #expect(plan.next(.init()) == .refresh)
    #expect(plan.next(.init(rows: 50)) == .more)
    #expect(
      plan.next(.init(rows: 50, outcome: .failed(error))) == .stop(.failed(error, isPartial: true)))
  }

  @Test
  func `T8: an edge that failed is told even where enough rows are there`() {
    let error = FeedError.unreadPages(seen: "has_more", advice: "Try another.", url: nil)
    var plan = WatchPlan(WatchBounds(pages: .some(1)))
    plan.begin()
    _ = plan.next(.init())
    let end = WatchEnd.failed(error, isPartial: true)
    #expect(plan.next(.init(rows: 50, next: .failed(error))) == .stop(end))
    #expect(end.failure?.code.rawValue == 75)
  }

  @Test
  func `T8: an edge that cannot be read is not asked again for more pages`() {
    let error = FeedError.unreadPages(seen: "has_more", advice: "Try another.", url: nil)
    for pages in [PageCount.all, .some(3)] {
      var plan = WatchPlan(WatchBounds(pages: pages))
      plan.begin()
      _ = plan.next(.init())
      let end = WatchEnd.failed(error, isPartial: true)
      #expect(plan.next(.init(rows: 50, next: .failed(error))) == .stop(end))
    }
    // What may pass is.
    var plan = WatchPlan(WatchBounds(pages: .all))
    plan.begin()
    _ = plan.next(.init())
    #expect(
      plan.next(.init(rows: 50, next: .failed(.source(HTTPError.tooLarge(limit: 1))))) == .more)
  }

  @Test
  func `how a list ends is said, with an exit code where rows are missing`() {
    let error = FeedError.source(HTTPError.tooLarge(limit: 1))
    let ends: [(WatchEnd, String, Int32?)] = [
      (.end, "next: end", nil),
      (.pages(.some(2)), "next: idle, there may be more than --pages 2", nil),
      (.rows(7, isAsked: true), "next: idle, there are more than --max-rows 7", nil),
      (.rows(7, isAsked: false), "next: idle, there are more than --max-rows 7", 75),
      (.gaps(2), "next: idle, 2 gaps left", 75),
      (.failed(error, isPartial: true), "next: failed", 75),
      (.failed(error, isPartial: false), "refresh: failed", 69),
    ]
    for (end, line, code) in ends {
      #expect(end.line == line)
      #expect(end.failure?.code.rawValue == code)
    }
  }

  @Test
  func `R4: no refresh comes before the server allows it, and none at the same moment as others`() {
    let every = Interval(duration: .seconds(30), description: "30s")
    #expect(every.pause(after: nil, chance: 0) == .seconds(27))
    #expect((.seconds(32.9)...(.seconds(33.1))).contains(every.pause(after: nil, chance: 1)))
    func failure(_ time: Duration?) -> WatchFailure {
      WatchFailure(
        .source(
          HTTPError.status(
            429, url: URL(fileURLWithPath: "/"), retryAfter: time, message: nil)),
        isPartial: true)
    }
    #expect(every.pause(after: failure(.seconds(600)), chance: 0) == .seconds(600))
    #expect(every.pause(after: failure(.seconds(1)), chance: 0) == .seconds(27))
    #expect(every.pause(after: failure(.seconds(Int64.max)), chance: 0) == .seconds(86_400))
    #expect(every.pause(after: failure(nil), chance: 0) == .seconds(27))
  }
}
