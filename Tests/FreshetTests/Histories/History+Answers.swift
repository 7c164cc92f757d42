import Foundation
import FreshetTesting

@testable import Freshet

// What comes from disk, from the clock and from the server.
extension History {
  /// Rows from disk arrive, now and then none.
  mutating func read() {
    guard let index = reads.indices.randomElement(using: &random) else { return }
    let (ticket, rows) = reads.remove(at: index)
    let isLost = random.oneIn(12) && !isResting
    perform(
      "read \(rows?.count ?? 0)\(isLost ? ", lost" : "")",
      machine.readBack(isLost ? nil : rows, for: ticket, at: now))
  }

  /// The wait of a load is over.
  mutating func proceed() {
    guard let index = pausing.indices.randomElement(using: &random) else { return }
    let ticket = pausing.remove(at: index)
    perform("proceed \(ticket)", machine.proceed(with: ticket))
  }

  mutating func serve(_ index: Int? = nil) {
    guard let index = index ?? pending.indices.randomElement(using: &random),
      pending[index].answer == nil
    else { return }
    let answer = answer(pending[index])
    if let page = try? answer.get(), let validator = page.validator {
      named[validator] = page.items
    }
    if pending[index].skip != nil, (try? answer.get())?.items.isEmpty == false { farAnswers += 1 }
    pending[index].answer = answer
  }

  mutating func deliver() {
    guard let index = pending.indices.randomElement(using: &random) else { return }
    serve(index)
    let request = random.oneIn(10) && !isResting ? pending[index] : pending.remove(at: index)
    guard var answer = request.answer else { return }
    if random.oneIn(12), !isResting {
      answer = .failure(
        random.oneIn(2)
          ? .source(ScriptedFailure())
          : .unreached
      )
    }
    perform(
      "answer \(request.ticket): \(text(of: answer))",
      machine.receive(answer, for: request.ticket, at: now))
  }

  private func text(of answer: Machine.PostAnswer) -> String {
    (try? answer.get()).map { page in
      page.isUnchanged ? "unchanged" : "\(page.items) next \(page.next?.json ?? "-")"
    } ?? "failure"
  }

  func answer(_ asked: Request) -> Machine.PostAnswer {
    let request = asked.request
    do {
      var key = try request.key?.decoded(as: ScriptedKey.self)
      if let skip = asked.skip {
        let end = try skip.end?.decoded(as: ScriptedKey.self)
        key = server.key(skip.count, rowsFrom: key, before: end, paging)
        if key == nil { return .success(Page([], next: nil)) }
      }
      var page = try server.answer(
        PageRequest(key: key, limit: request.limit, validator: request.validator), paging)
      if learns, !page.isUnchanged { page.continuity = .overlapping }
      return .success(try page.mapKeys { try PageKey($0) })
    } catch let error as FeedError {
      return .failure(error)
    } catch {
      return .failure(.source(error))
    }
  }
}
