import SwiftUI

/// A row with a state of its own.
struct Counter: View {
  let post: Post
  @State private var count = 0

  var body: some View {
    Text("\(post): \(count)")
    Button("Count") { count += 1 }
  }
}
