// Delegates and data sources of UIKit, and the classes they are of.
//
// Each group names the page of Apple's documentation that its declarations follow: the selectors
// are the `preciseIdentifier` of the pages of its methods, and which are optional is said there.
// UIKit.swift has what else of the classes is called.

#pragma once
#import "ObjectiveC.h"

#pragma clang assume_nonnull begin

@class UITableView, UICollectionView;

// MARK: - Views

// developer.apple.com/documentation/uikit/uiresponder
MAIN_ACTOR @interface UIResponder : NSObject
@end

// developer.apple.com/documentation/uikit/uiview
MAIN_ACTOR @interface UIView : UIResponder
- (void)layoutSubviews;
- (void)layoutIfNeeded;
- (void)didMoveToWindow;
@end

// developer.apple.com/documentation/uikit/uiwindow
MAIN_ACTOR @interface UIWindow : UIView
@end

// developer.apple.com/documentation/uikit/uicontrol
MAIN_ACTOR @interface UIControl : UIView
@end

// developer.apple.com/documentation/uikit/uirefreshcontrol
MAIN_ACTOR @interface UIRefreshControl : UIControl
- (void)beginRefreshing;
- (void)endRefreshing;
@end

// developer.apple.com/documentation/uikit/uiaction
MAIN_ACTOR @interface UIAction : NSObject
@end

// developer.apple.com/documentation/uikit/uicontextualaction
MAIN_ACTOR @interface UIContextualAction : NSObject
@end

// developer.apple.com/documentation/uikit/uiswipeactionsconfiguration
MAIN_ACTOR @interface UISwipeActionsConfiguration : NSObject
@end

// developer.apple.com/documentation/uikit/uiscrollview
MAIN_ACTOR @interface UIScrollView : UIView
@end

// developer.apple.com/documentation/uikit/uiscrollviewdelegate
MAIN_ACTOR @protocol UIScrollViewDelegate <NSObject>
@optional
- (void)scrollViewDidScroll:(UIScrollView *)scrollView;
- (void)scrollViewDidZoom:(UIScrollView *)scrollView;
- (void)scrollViewWillBeginDragging:(UIScrollView *)scrollView;
- (void)scrollViewDidEndDragging:(UIScrollView *)scrollView willDecelerate:(BOOL)decelerate;
- (void)scrollViewWillBeginDecelerating:(UIScrollView *)scrollView;
- (void)scrollViewDidEndDecelerating:(UIScrollView *)scrollView;
- (void)scrollViewDidEndScrollingAnimation:(UIScrollView *)scrollView;
- (BOOL)scrollViewShouldScrollToTop:(UIScrollView *)scrollView;
- (void)scrollViewDidScrollToTop:(UIScrollView *)scrollView;
- (void)scrollViewDidChangeAdjustedContentInset:(UIScrollView *)scrollView;
@end

// MARK: - Tables

// developer.apple.com/documentation/uikit/uitableviewcell/editingstyle-swift.enum
ENUM(UITableViewCellEditingStyle, "UITableViewCell.EditingStyle") {
  UITableViewCellEditingStyleNone,
  UITableViewCellEditingStyleDelete,
  UITableViewCellEditingStyleInsert,
};

// developer.apple.com/documentation/uikit/uitableviewcell
MAIN_ACTOR @interface UITableViewCell : UIView
- (void)prepareForReuse;
@end

// developer.apple.com/documentation/uikit/uitableviewdatasource
MAIN_ACTOR @protocol UITableViewDataSource <NSObject>
- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section;
- (UITableViewCell *)tableView:(UITableView *)tableView
         cellForRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:cellForRowAt:)");
@optional
- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView
    SWIFT_NAME("numberOfSections(in:)");
- (nullable NSString *)tableView:(UITableView *)tableView
         titleForHeaderInSection:(NSInteger)section;
- (nullable NSString *)tableView:(UITableView *)tableView
         titleForFooterInSection:(NSInteger)section;
- (BOOL)tableView:(UITableView *)tableView canEditRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:canEditRowAt:)");
- (BOOL)tableView:(UITableView *)tableView canMoveRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:canMoveRowAt:)");
- (nullable NSArray<NSString *> *)sectionIndexTitlesForTableView:(UITableView *)tableView
    SWIFT_NAME("sectionIndexTitles(for:)");
- (NSInteger)tableView:(UITableView *)tableView
    sectionForSectionIndexTitle:(NSString *)title
                        atIndex:(NSInteger)index
    SWIFT_NAME("tableView(_:sectionForSectionIndexTitle:at:)");
- (void)tableView:(UITableView *)tableView
    commitEditingStyle:(UITableViewCellEditingStyle)editingStyle
     forRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:commit:forRowAt:)");
- (void)tableView:(UITableView *)tableView
    moveRowAtIndexPath:(NSIndexPath *)sourceIndexPath
           toIndexPath:(NSIndexPath *)destinationIndexPath
    SWIFT_NAME("tableView(_:moveRowAt:to:)");
@end

// developer.apple.com/documentation/uikit/uitableviewdatasourceprefetching
MAIN_ACTOR @protocol UITableViewDataSourcePrefetching <NSObject>
- (void)tableView:(UITableView *)tableView
    prefetchRowsAtIndexPaths:(NSArray<NSIndexPath *> *)indexPaths
    SWIFT_NAME("tableView(_:prefetchRowsAt:)");
@optional
- (void)tableView:(UITableView *)tableView
    cancelPrefetchingForRowsAtIndexPaths:(NSArray<NSIndexPath *> *)indexPaths
    SWIFT_NAME("tableView(_:cancelPrefetchingForRowsAt:)");
@end

// developer.apple.com/documentation/uikit/uitableviewdelegate
MAIN_ACTOR @protocol UITableViewDelegate <UIScrollViewDelegate>
@optional
- (void)tableView:(UITableView *)tableView
      willDisplayCell:(UITableViewCell *)cell
    forRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:willDisplay:forRowAt:)");
- (void)tableView:(UITableView *)tableView
    didEndDisplayingCell:(UITableViewCell *)cell
       forRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:didEndDisplaying:forRowAt:)");
- (nullable UIView *)tableView:(UITableView *)tableView
        viewForHeaderInSection:(NSInteger)section;
- (nullable UIView *)tableView:(UITableView *)tableView
        viewForFooterInSection:(NSInteger)section;
- (nullable NSIndexPath *)tableView:(UITableView *)tableView
           willSelectRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:willSelectRowAt:)");
- (void)tableView:(UITableView *)tableView didSelectRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:didSelectRowAt:)");
- (void)tableView:(UITableView *)tableView didDeselectRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:didDeselectRowAt:)");
- (UITableViewCellEditingStyle)tableView:(UITableView *)tableView
           editingStyleForRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:editingStyleForRowAt:)");
- (nullable UISwipeActionsConfiguration *)tableView:(UITableView *)tableView
    leadingSwipeActionsConfigurationForRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:leadingSwipeActionsConfigurationForRowAt:)");
- (nullable UISwipeActionsConfiguration *)tableView:(UITableView *)tableView
    trailingSwipeActionsConfigurationForRowAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("tableView(_:trailingSwipeActionsConfigurationForRowAt:)");
- (NSIndexPath *)tableView:(UITableView *)tableView
    targetIndexPathForMoveFromRowAtIndexPath:(NSIndexPath *)sourceIndexPath
                         toProposedIndexPath:(NSIndexPath *)proposedDestinationIndexPath
    SWIFT_NAME("tableView(_:targetIndexPathForMoveFromRowAt:toProposedIndexPath:)");
@end

// developer.apple.com/documentation/uikit/uitableview/style-swift.enum
ENUM(UITableViewStyle, "UITableView.Style") {
  UITableViewStylePlain,
  UITableViewStyleGrouped,
  UITableViewStyleInsetGrouped,
};

// developer.apple.com/documentation/uikit/uitableview
MAIN_ACTOR @interface UITableView : UIScrollView
@property(nonatomic, weak, nullable) id<UITableViewDataSource> dataSource;
@property(nonatomic, weak, nullable) id<UITableViewDelegate> delegate;
@property(nonatomic, weak, nullable) id<UITableViewDataSourcePrefetching> prefetchDataSource;
@end

// developer.apple.com/documentation/uikit/uiviewcontroller
MAIN_ACTOR @interface UIViewController : UIResponder <NSCoding>
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil
                         bundle:(nullable NSBundle *)nibBundleOrNil
    __attribute__((objc_designated_initializer)) SWIFT_NAME("init(nibName:bundle:)");
- (nullable instancetype)initWithCoder:(NSCoder *)coder
    __attribute__((objc_designated_initializer));
- (void)viewDidLoad;
@end

// developer.apple.com/documentation/uikit/uitableviewcontroller
MAIN_ACTOR
@interface UITableViewController : UIViewController <UITableViewDelegate, UITableViewDataSource>
- (instancetype)initWithStyle:(UITableViewStyle)style
    __attribute__((objc_designated_initializer));
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil
                         bundle:(nullable NSBundle *)nibBundleOrNil
    __attribute__((objc_designated_initializer)) SWIFT_NAME("init(nibName:bundle:)");
- (nullable instancetype)initWithCoder:(NSCoder *)coder
    __attribute__((objc_designated_initializer));
@property(nonatomic, strong, null_resettable) UITableView *tableView;
@end

// MARK: - Collection views

// developer.apple.com/documentation/uikit/uicollectionreusableview
MAIN_ACTOR @interface UICollectionReusableView : UIView
- (void)prepareForReuse;
@end

// developer.apple.com/documentation/uikit/uicollectionviewcell
MAIN_ACTOR @interface UICollectionViewCell : UICollectionReusableView
@end

// developer.apple.com/documentation/uikit/uicollectionviewlistcell
MAIN_ACTOR @interface UICollectionViewListCell : UICollectionViewCell
@end

// developer.apple.com/documentation/uikit/uicollectionviewlayout
MAIN_ACTOR @interface UICollectionViewLayout : NSObject
@end

// developer.apple.com/documentation/uikit/uicollectionviewcompositionallayout
MAIN_ACTOR @interface UICollectionViewCompositionalLayout : UICollectionViewLayout
@end

// developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes
MAIN_ACTOR @interface UICollectionViewLayoutAttributes : NSObject
@end

// developer.apple.com/documentation/uikit/nscollectionlayoutsection
MAIN_ACTOR @interface NSCollectionLayoutSection : NSObject
@end

// developer.apple.com/documentation/uikit/nscollectionlayoutenvironment
MAIN_ACTOR @protocol NSCollectionLayoutEnvironment <NSObject>
@end

// developer.apple.com/documentation/uikit/uicollectionviewdatasource
MAIN_ACTOR @protocol UICollectionViewDataSource <NSObject>
- (NSInteger)collectionView:(UICollectionView *)collectionView
     numberOfItemsInSection:(NSInteger)section;
- (UICollectionViewCell *)collectionView:(UICollectionView *)collectionView
                  cellForItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:cellForItemAt:)");
@optional
- (NSInteger)numberOfSectionsInCollectionView:(UICollectionView *)collectionView
    SWIFT_NAME("numberOfSections(in:)");
- (UICollectionReusableView *)collectionView:(UICollectionView *)collectionView
           viewForSupplementaryElementOfKind:(NSString *)kind
                                 atIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:viewForSupplementaryElementOfKind:at:)");
- (BOOL)collectionView:(UICollectionView *)collectionView
    canMoveItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:canMoveItemAt:)");
- (void)collectionView:(UICollectionView *)collectionView
    moveItemAtIndexPath:(NSIndexPath *)sourceIndexPath
            toIndexPath:(NSIndexPath *)destinationIndexPath
    SWIFT_NAME("collectionView(_:moveItemAt:to:)");
- (nullable NSArray<NSString *> *)indexTitlesForCollectionView:(UICollectionView *)collectionView
    SWIFT_NAME("indexTitles(for:)");
- (NSIndexPath *)collectionView:(UICollectionView *)collectionView
         indexPathForIndexTitle:(NSString *)title
                        atIndex:(NSInteger)index
    SWIFT_NAME("collectionView(_:indexPathForIndexTitle:at:)");
@end

// developer.apple.com/documentation/uikit/uicollectionviewdatasourceprefetching
MAIN_ACTOR @protocol UICollectionViewDataSourcePrefetching <NSObject>
- (void)collectionView:(UICollectionView *)collectionView
    prefetchItemsAtIndexPaths:(NSArray<NSIndexPath *> *)indexPaths
    SWIFT_NAME("collectionView(_:prefetchItemsAt:)");
@optional
- (void)collectionView:(UICollectionView *)collectionView
    cancelPrefetchingForItemsAtIndexPaths:(NSArray<NSIndexPath *> *)indexPaths
    SWIFT_NAME("collectionView(_:cancelPrefetchingForItemsAt:)");
@end

// developer.apple.com/documentation/uikit/uicollectionviewdelegate
// collectionView(_:targetContentOffsetForProposedContentOffset:) is not here: its CGPoint is a type of Foundation's.
MAIN_ACTOR @protocol UICollectionViewDelegate <UIScrollViewDelegate>
@optional
- (BOOL)collectionView:(UICollectionView *)collectionView
    canFocusItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:canFocusItemAt:)");
- (BOOL)collectionView:(UICollectionView *)collectionView
    shouldSelectItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:shouldSelectItemAt:)");
- (void)collectionView:(UICollectionView *)collectionView
    didSelectItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:didSelectItemAt:)");
- (void)collectionView:(UICollectionView *)collectionView
    didDeselectItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:didDeselectItemAt:)");
- (void)collectionView:(UICollectionView *)collectionView
       willDisplayCell:(UICollectionViewCell *)cell
    forItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:willDisplay:forItemAt:)");
- (void)collectionView:(UICollectionView *)collectionView
    didEndDisplayingCell:(UICollectionViewCell *)cell
      forItemAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:didEndDisplaying:forItemAt:)");
- (NSIndexPath *)collectionView:(UICollectionView *)collectionView
    targetIndexPathForMoveOfItemFromOriginalIndexPath:(NSIndexPath *)originalIndexPath
                                   atCurrentIndexPath:(NSIndexPath *)currentIndexPath
                                  toProposedIndexPath:(NSIndexPath *)proposedIndexPath
    SWIFT_NAME("collectionView(_:targetIndexPathForMoveOfItemFromOriginalIndexPath:"
               "atCurrentIndexPath:toProposedIndexPath:)");
@end

// developer.apple.com/documentation/uikit/uicollectionview
MAIN_ACTOR @interface UICollectionView : UIScrollView
@property(nonatomic, weak, nullable) id<UICollectionViewDataSource> dataSource;
@property(nonatomic, weak, nullable) id<UICollectionViewDelegate> delegate;
@property(nonatomic, weak, nullable) id<UICollectionViewDataSourcePrefetching> prefetchDataSource;
@end

#pragma clang assume_nonnull end
