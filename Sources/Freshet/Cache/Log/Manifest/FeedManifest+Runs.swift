internal import FreshetLists

extension FeedManifest {
  /// Rows that are stored together, and the boundaries of the pages around them.
  struct Run<Content> {
    var contents: [Content] = []
    var mark = PageBoundary()
  }

  /// A row as it is stored, and the boundary of the page that began or ended with it.
  typealias Row<Content> = (content: Content, mark: PageBoundary?)

  /// The maximum number of rows in a run.
  private static var longRun: Int { 100 }
  /// The number of rows below which a run is short.
  ///
  /// A short run continues past the end of a page. If many are adjacent, they are joined: many
  /// small steps do not leave as many small runs.
  static var shortRun: Int { 25 }

  /// Divides rows into runs that end at gaps, and at ends of pages if they are long enough.
  ///
  /// - Parameter rows: the rows; `nil` is a gap, also in the result.
  static func runs<Content>(
    of rows: [Row<Content>?]
  ) -> [Run<Content>?] {
    var runs: [Run<Content>?] = []
    var run = Run<Content>()
    func endRun() {
      if !run.contents.isEmpty { runs.append(run) }
      run = Run()
    }
    for row in rows {
      guard let (content, known) = row else {
        endRun()
        runs.append(nil)
        continue
      }
      if run.contents.isEmpty { run.mark.previous = known?.previous }
      (run.mark.next, run.mark.fetchedAt) = (known?.next, known?.fetchedAt)
      run.contents.append(content)
      let isPage = run.contents.count >= shortRun && run.mark.fetchedAt != nil
      if isPage || run.contents.count >= longRun { endRun() }
    }
    endRun()
    return runs
  }
}
