// Reports: does not conform to protocol 'NSCollectionViewDataSource'
internal import AppKit

@MainActor
final class Source<Item>: NSObject, NSCollectionViewDataSource {
  func collectionView(
    _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
  ) -> Int { 0 }
}
