internal import FreshetLists

extension FeedManifest {
  /// Rows that are stored together, and what is known of the pages around them.
  struct Run<Content> {
    var contents: [Content] = []
    var mark = PageBoundary()
  }

  /// A row as it is stored, and what is known of the page that began or ended with it.
  typealias Row<Content> = (content: Content, mark: PageBoundary?)

  /// How many rows a run may hold.
  private static var longRun: Int { 100 }
  /// A shorter run continues past the end of a page, and is joined with its neighbours if many of
  /// them are short: many small steps do not leave as many small runs.
  static var shortRun: Int { 25 }

  /// Divides rows into runs that end at gaps, and at ends of pages if they are long enough.
  ///
  /// - Parameter rows: the rows; `nil` is a gap, in the answer too.
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
