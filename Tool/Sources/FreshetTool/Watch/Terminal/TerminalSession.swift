import Foundation
import Freshet

/// A list in a terminal: what happens goes into the screen, and what the screen asks for is done.
struct TerminalSession {
  /// How the session ended.
  enum End: Equatable {
    case quit
    /// Somebody asked the process to end.
    case signal(Int32)
  }

  enum Event: Sendable {
    case screen(WatchScreen.Event)
    case input(TerminalInput)
    /// The rows or the state are others.
    case changed
  }

  let feed: Feed<WatchedItem>
  /// The rows that the user wants to see, and the same in their sections.
  let filtered: FilteredList<WatchedItem>
  let list: DerivedList<WatchedItem>
  let terminal: Terminal
  let rounds: LoadingRounds
  /// What happens; others may put something in.
  let events: EventQueue<Event>

  init(
    _ feed: Feed<WatchedItem>, _ rounds: LoadingRounds, in terminal: Terminal,
    _ events: EventQueue<Event>
  ) {
    self.feed = feed
    self.rounds = rounds
    self.terminal = terminal
    filtered = feed.filter { _ in true }
    list = filtered.sectioned { $0.section }
    self.events = events
  }

  /// Shows the list until the user goes; the terminal is as it was then, also after an error.
  func run(_ options: WatchScreen.Options) async throws -> End {
    // A signal that comes between the two must not leave the terminal as it is here.
    TerminalInput.read { [events] in events.put(.input($0)) }
    terminal.enter()
    defer { terminal.leave() }
    var screen = WatchScreen(options, size: Terminal.size, now: Date())
    feed.loadCacheSynchronously()
    let tasks = [
      news(), updates(), changes(), ticks(), Task { [rounds, feed] in await rounds.run(feed) },
    ]
    defer { for task in tasks { task.cancel() } }
    try terminal.show(screen.frame)
    for await _ in events.signals {
      for event in events.takeAll() {
        for event in screenEvents(event) {
          for effect in screen.handle(event) where !perform(effect) { return .quit }
        }
        if case .input(let input) = event, let end = end(input) { return end }
      }
      // However many events there were, who looks at it sees the last frame.
      if Foreground.isOurs { try terminal.show(screen.frame) }
    }
    return .quit
  }

  private func screenEvents(_ event: Event) -> [WatchScreen.Event] {
    switch event {
    // The state is read here, so that none that is older comes behind a newer one.
    case .screen(.updated(let update, let rows)):
      [.updated(update, rows.standing(as: ScreenList(list.value, of: feed.value)))]
    case .changed: [.stands(ScreenList(list.value, of: feed.value))]
    case .screen(let event): [event]
    case .input(.keys(let keys)): keys.map { .key($0) }
    case .input(.signal(SIGWINCH)), .input(.signal(SIGCONT)): [.resized(Terminal.size)]
    case .input: []
    }
  }

  /// Why the session ends with an input, if it does.
  private func end(_ input: TerminalInput) -> End? {
    switch input {
    case .keys, .signal(SIGWINCH): return nil
    case .signal(SIGCONT): return enter()
    case .signal(SIGTSTP):
      terminal.leave()
      SignalPipe.shared?.forget(TerminalInput.signals)
      _ = raise(SIGTSTP)
      return enter()
    case .signal(let signal): return .signal(signal)
    case .ended: return .signal(SIGHUP)
    }
  }

  /// Takes the screen, once it is the process's; why the session ends where it never is.
  private func enter() -> End? {
    SignalPipe.shared?.forget(TerminalInput.signals)
    let isOurs = Foreground.wait()
    // Before the screen is taken: who is ended on it leaves it first.
    SignalPipe.shared?.note(TerminalInput.signals)
    guard isOurs else { return .signal(SIGHUP) }
    terminal.enter()
    // It may be another one by now, or larger.
    events.put(.input(.signal(SIGWINCH)))
    return nil
  }

  private func news() -> Task<Void, Never> {
    Task { [feed, events] in
      for await update in feed.updates { events.put(.screen(.came(update.step))) }
    }
  }

  private func updates() -> Task<Void, Never> {
    Task { [list, feed, events] in
      for await update in list.updates {
        events.put(.screen(.updated(update.step, ScreenList(update.value, of: feed.value))))
      }
    }
  }

  /// No update says that a load began or failed where no row changed.
  private func changes() -> Task<Void, Never> {
    Task { [list, events] in
      for await _ in list.values { events.put(.changed) }
    }
  }

  /// Ages count up, and marks go.
  private func ticks() -> Task<Void, Never> {
    Task { [events] in
      while (try? await Task.sleep(for: .milliseconds(250))) != nil {
        events.put(.screen(.tick(Date())))
      }
    }
  }

  /// Does what the screen asks for.
  ///
  /// - Returns: whether the session goes on.
  private func perform(_ effect: WatchScreen.Effect) -> Bool {
    switch effect {
    case .quit: return false
    case .display(let items): for item in items { list.willDisplay(item) }
    case .filter(let text):
      let filter = RowFilter(text)
      filtered.replaceCondition(filter.includes)
    case .loadNext: Task { [feed] in await feed.loadNext() }
    case .loadPrevious: Task { [feed] in await feed.loadPrevious() }
    case .load(let gap): Task { [feed] in await feed.load(gap) }
    case .refresh(let scope): Task { [feed] in await feed.refresh(scope) }
    case .trace(let id):
      Task { [feed, events] in
        let trace = await feed.trace(of: id)?.description ?? "what nobody knows any more"
        events.put(.screen(.traced(id, trace)))
      }
    case .open(let url):
      Browser.open(url) { [events] in events.put(.screen(.said($0))) }
    }
    return true
  }
}
