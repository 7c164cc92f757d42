import Freshet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
  @Test
  func `R3: the last caller who goes takes the request with it`() async {
    let (begun, began) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let feed = Feed(
      ClosureSource<Post, Int> { _ in
        await withTaskCancellationHandler {
          began.yield()
          // It ends when the task is cancelled, and only then.
          for await _ in AsyncStream<Void>.makeStream().stream {}
        } onCancel: {
          end.yield()
        }
        throw CancellationError()
      })
    let caller = Task { await feed.loadNext() }
    for await _ in begun { break }
    caller.cancel()
    #expect(await caller.value == .idle)
    for await _ in ended { break }
    #expect(feed.value.state.next == .idle)
  }
}
