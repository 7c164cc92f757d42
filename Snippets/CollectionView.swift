// A collection view that shows a feed in sections, with cells of its own for gaps and for what
// failed.

#if canImport(UIKit) && !os(watchOS)
  import Freshet
  import FreshetUI
  import UIKit

  struct Photo: ListItem, Codable {
    let id: Int
    var title: String
  }

  @MainActor
  func show(
    _ photos: FeedController<Photo>, on collectionView: UICollectionView
  ) -> CollectionSource<Photo> {
    // snippet.show
    let photo = UICollectionView.CellRegistration<UICollectionViewListCell, Photo> {
      cell, _, photo in
      var content = cell.defaultContentConfiguration()
      content.text = photo.title
      cell.contentConfiguration = content
    }
    let other = UICollectionView.CellRegistration<UICollectionViewListCell, ScreenRow<Photo>> {
      cell, _, row in
      var content = cell.defaultContentConfiguration()
      content.text = row.text  // "Loading…", or what went wrong
      cell.contentConfiguration = content
    }
    let source = CollectionSource(
      collectionView, photos,
      options: ScreenOptions(edges: .activeAndEnd),
      other: { $0.dequeueConfiguredReusableCell(using: other, for: $1, item: $2) },
      cell: { $0.dequeueConfiguredReusableCell(using: photo, for: $1, item: $2) })
    // snippet.hide
    return source
  }
#endif
