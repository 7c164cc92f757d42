// Layouts, as far as views ask them: where rows stand, and which sections have a header.

// developer.apple.com/documentation/uikit/uicollectionviewlayout
@MainActor open class UICollectionViewLayout: NSObject {
  open internal(set) weak var collectionView: UICollectionView?

  open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    collectionView?.layoutAttributesForItem(at: indexPath)
  }
  open var collectionViewContentSize: CGSize {
    CGSize(width: collectionView?.bounds.width ?? 0, height: collectionView?.stub.length ?? 0)
  }

  // developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesforelements(in:)
  open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    guard let collectionView else { return nil }
    // It answers from what it prepared, which the view lets it do before the view itself answers.
    if collectionView.stub.isStale {
      collectionView.stub.report("a layout that is not prepared is asked")
    }
    return collectionView.stub.paths(in: rect.minY..<rect.maxY)
      .compactMap(collectionView.layoutAttributesForItem)
  }
}

// developer.apple.com/documentation/uikit/uicollectionlayoutlistconfiguration
@MainActor public struct UICollectionLayoutListConfiguration {
  public enum Appearance: Int, Sendable {
    case plain, grouped, insetGrouped, sidebar, sidebarPlain
  }
  public enum HeaderMode: Int, Sendable { case none, supplementary, firstItemInSection }
  public init(appearance: Appearance) {}
  public var headerMode = HeaderMode.none
}

// developer.apple.com/documentation/uikit/nscollectionlayoutenvironment
@MainActor public protocol NSCollectionLayoutEnvironment: NSObjectProtocol {}

// developer.apple.com/documentation/uikit/nscollectionlayoutsection
@MainActor open class NSCollectionLayoutSection: NSObject {
  public static func list(
    using configuration: UICollectionLayoutListConfiguration,
    layoutEnvironment: any NSCollectionLayoutEnvironment
  ) -> NSCollectionLayoutSection {
    let section = NSCollectionLayoutSection()
    section.stubHeaderMode = configuration.headerMode
    return section
  }
  override init() {}
  private(set) var stubHeaderMode = UICollectionLayoutListConfiguration.HeaderMode.none
}

// developer.apple.com/documentation/uikit/uicollectionviewcompositionallayoutsectionprovider
public typealias UICollectionViewCompositionalLayoutSectionProvider = (
  Int, any NSCollectionLayoutEnvironment
) -> NSCollectionLayoutSection?

// developer.apple.com/documentation/uikit/uicollectionviewcompositionallayout
@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  let provider: UICollectionViewCompositionalLayoutSectionProvider?
  override public init() { provider = nil }
  public init(sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider) {
    provider = sectionProvider
  }
  public static func list(
    using configuration: UICollectionLayoutListConfiguration
  ) -> UICollectionViewCompositionalLayout { UICollectionViewCompositionalLayout() }
}

// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes
@MainActor open class UICollectionViewLayoutAttributes: NSObject {
  open var frame = CGRect.zero
  open var indexPath = IndexPath(item: 0, section: 0)
  open var representedElementCategory: UICollectionView.ElementCategory { .cell }
}
