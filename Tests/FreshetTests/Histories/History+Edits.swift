import Foundation
import FreshetTesting

@testable import Freshet

// What the user edits, and what the source says of that and by itself.
extension History {
  /// An edit that the source will be told of, or news.
  mutating func beginEdit() {
    lastToken += 1
    let id = machine.value.items.map(\.id).filter { $0 >= 0 }.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      edits.append((lastToken, .update(id)))
      perform("update \(id)", machine.update(id, token: lastToken, at: now) { $0.version += 1000 })
    case 1:
      edits.append((lastToken, .delete(id)))
      perform("delete \(id)", machine.delete(id, token: lastToken, at: now))
    case 2:
      let temporary = -lastToken
      edits.append((lastToken, .insert(temporary: temporary)))
      let other = random.oneIn(2) ? nil : id
      perform(
        "insert \(temporary) after \(other ?? -1)",
        machine.insert(Post(id: temporary), after: other, token: lastToken, at: now))
    default: news()
    }
  }

  /// The source takes an edit, or does not; what it answers may be late.
  mutating func endEdit() {
    let isAnswer = random.oneIn(2) || edits.isEmpty
    if isAnswer, let index = lateAnswers.indices.randomElement(using: &random) {
      let (token, edit, answer) = lateAnswers.remove(at: index)
      return perform(
        "taken late \(edit) as \(answer.map { "\($0)" } ?? "-")",
        machine.confirm(token, as: answer, at: now))
    }
    guard let index = edits.indices.randomElement(using: &random) else { return }
    let (token, edit) = edits.remove(at: index)
    if random.oneIn(3) { return perform("undo \(edit)", machine.undo(token, at: now)) }
    let answer = take(edit)
    versions.append(server.items)
    if isLate, random.oneIn(2) {
      lateAnswers.append((token, edit, answer))
      if isLogged { log.append("server: \(server.items), which took \(edit)") }
      return
    }
    if case .insert = edit, random.oneIn(3) { deliver() }
    perform("taken \(edit)", machine.confirm(token, as: answer, at: now))
  }

  /// Changes the server's list as an edit says; what it answers.
  private mutating func take(_ edit: Edit) -> Post? {
    switch edit {
    case .update(let id):
      guard var post = server.items.first(where: { $0.id == id }) else { return nil }
      post.version += 1000
      server.update(post)
      return isLate ? post : nil
    case .delete(let id):
      server.delete(id)
      gone.insert(id)
      return nil
    case .insert:
      let created = Post(id: freshID)
      freshID += 1
      server.insert(created, at: 0)
      return created
    }
  }

  /// Something happens on the server, and it says so.
  mutating func news() {
    let items = server.items
    if let post = items.randomElement(using: &random), random.oneIn(2) {
      server.delete(post.id)
      gone.insert(post.id)
      told[post.id] = nil
      perform(
        "news: \(post.id) went", machine.follow(.delete(post.id), token: -lastToken, at: now))
    } else if var post = items.randomElement(using: &random), random.oneIn(2) {
      post.version += 1
      server.update(post)
      told[post.id] = post.version
      perform("news: \(post)", machine.follow(.upsert(post), token: -lastToken, at: now))
    } else {
      let post = Post(id: freshID)
      freshID += 1
      server.insert(post, at: 0)
      perform("news: \(post) came", machine.follow(.insert(post), token: -lastToken, at: now))
    }
    versions.append(server.items)
  }
}
