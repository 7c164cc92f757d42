// Delegates and data sources of AppKit, and the classes they are of; see UIKit.h.
//
// Their pages say that the methods are isolated to the main actor, and the protocols are not. So
// an extension of a protocol is not isolated either.

#pragma once
#import "ObjectiveC.h"

#pragma clang assume_nonnull begin

@class NSTableView, NSCollectionView;

// MARK: - Views

// developer.apple.com/documentation/appkit/nsresponder
MAIN_ACTOR @interface NSResponder : NSObject
@end

// developer.apple.com/documentation/appkit/nsview
MAIN_ACTOR @interface NSView : NSResponder
- (void)layout;
- (void)layoutSubtreeIfNeeded;
@end

// developer.apple.com/documentation/appkit/nswindow
MAIN_ACTOR @interface NSWindow : NSResponder
@end

// developer.apple.com/documentation/appkit/nstextfield
MAIN_ACTOR @interface NSTextField : NSView
@end

// developer.apple.com/documentation/appkit/nsclipview
MAIN_ACTOR @interface NSClipView : NSView
@end

// developer.apple.com/documentation/appkit/nsscrollview
MAIN_ACTOR @interface NSScrollView : NSView
@end

// developer.apple.com/documentation/appkit/nsviewcontroller
MAIN_ACTOR @interface NSViewController : NSResponder
@property(strong) NSView *view;
- (void)loadView;
@end

// developer.apple.com/documentation/appkit/nsanimationcontext
MAIN_ACTOR @interface NSAnimationContext : NSObject
@end

// MARK: - Tables

// developer.apple.com/documentation/appkit/nstablecolumn
MAIN_ACTOR @interface NSTableColumn : NSObject
@end

// developer.apple.com/documentation/appkit/nstableheaderview
MAIN_ACTOR @interface NSTableHeaderView : NSView
@end

// developer.apple.com/documentation/appkit/nstablerowview
MAIN_ACTOR @interface NSTableRowView : NSView
@end

// developer.apple.com/documentation/appkit/nstableviewdatasource
@protocol NSTableViewDataSource <NSObject>
@optional
- (NSInteger)numberOfRowsInTableView:(NSTableView *)tableView
    SWIFT_NAME("numberOfRows(in:)") MAIN_ACTOR;
- (nullable id)tableView:(NSTableView *)tableView
    objectValueForTableColumn:(nullable NSTableColumn *)tableColumn
                          row:(NSInteger)row
    SWIFT_NAME("tableView(_:objectValueFor:row:)") MAIN_ACTOR;
@end

// developer.apple.com/documentation/appkit/nscontroltexteditingdelegate
@protocol NSControlTextEditingDelegate <NSObject>
@end

// developer.apple.com/documentation/appkit/nstableviewdelegate
@protocol NSTableViewDelegate <NSControlTextEditingDelegate>
@optional
- (nullable NSView *)tableView:(NSTableView *)tableView
            viewForTableColumn:(nullable NSTableColumn *)tableColumn
                           row:(NSInteger)row
    SWIFT_NAME("tableView(_:viewFor:row:)") MAIN_ACTOR;
- (nullable NSTableRowView *)tableView:(NSTableView *)tableView
                         rowViewForRow:(NSInteger)row MAIN_ACTOR;
- (BOOL)tableView:(NSTableView *)tableView isGroupRow:(NSInteger)row MAIN_ACTOR;
- (BOOL)tableView:(NSTableView *)tableView shouldSelectRow:(NSInteger)row MAIN_ACTOR;
- (NSIndexSet *)tableView:(NSTableView *)tableView
    selectionIndexesForProposedSelection:(NSIndexSet *)proposedSelectionIndexes MAIN_ACTOR;
- (BOOL)selectionShouldChangeInTableView:(NSTableView *)tableView
    SWIFT_NAME("selectionShouldChange(in:)") MAIN_ACTOR;
- (void)tableViewSelectionDidChange:(NSNotification *)notification MAIN_ACTOR;
@end

// developer.apple.com/documentation/appkit/nstableview
MAIN_ACTOR @interface NSTableView : NSView
@property(nullable, weak) id<NSTableViewDataSource> dataSource;
@property(nullable, weak) id<NSTableViewDelegate> delegate;
@end

// MARK: - Collection views

// developer.apple.com/documentation/appkit/nscollectionview/supplementaryelementkind
typedef NSString *NSCollectionViewSupplementaryElementKind
    __attribute__((swift_bridged_typedef))
    SWIFT_NAME("NSCollectionView.SupplementaryElementKind");

// developer.apple.com/documentation/appkit/nscollectionviewitem
MAIN_ACTOR @interface NSCollectionViewItem : NSViewController
- (void)prepareForReuse;
@end

// developer.apple.com/documentation/appkit/nscollectionviewlayout
MAIN_ACTOR @interface NSCollectionViewLayout : NSObject
@end

// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes
MAIN_ACTOR @interface NSCollectionViewLayoutAttributes : NSObject
@end

// developer.apple.com/documentation/appkit/nscollectionviewdatasource
@protocol NSCollectionViewDataSource <NSObject>
- (NSInteger)collectionView:(NSCollectionView *)collectionView
     numberOfItemsInSection:(NSInteger)section MAIN_ACTOR;
- (NSCollectionViewItem *)collectionView:(NSCollectionView *)collectionView
     itemForRepresentedObjectAtIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:itemForRepresentedObjectAt:)") MAIN_ACTOR;
@optional
- (NSInteger)numberOfSectionsInCollectionView:(NSCollectionView *)collectionView
    SWIFT_NAME("numberOfSections(in:)") MAIN_ACTOR;
- (NSView *)collectionView:(NSCollectionView *)collectionView
    viewForSupplementaryElementOfKind:(NSCollectionViewSupplementaryElementKind)kind
                          atIndexPath:(NSIndexPath *)indexPath
    SWIFT_NAME("collectionView(_:viewForSupplementaryElementOfKind:at:)") MAIN_ACTOR;
@end

// developer.apple.com/documentation/appkit/nscollectionviewprefetching
@protocol NSCollectionViewPrefetching <NSObject>
- (void)collectionView:(NSCollectionView *)collectionView
    prefetchItemsAtIndexPaths:(NSArray<NSIndexPath *> *)indexPaths
    SWIFT_NAME("collectionView(_:prefetchItemsAt:)") MAIN_ACTOR;
@optional
- (void)collectionView:(NSCollectionView *)collectionView
    cancelPrefetchingForItemsAtIndexPaths:(NSArray<NSIndexPath *> *)indexPaths
    SWIFT_NAME("collectionView(_:cancelPrefetchingForItemsAt:)") MAIN_ACTOR;
@end

// developer.apple.com/documentation/appkit/nscollectionviewdelegate
@protocol NSCollectionViewDelegate <NSObject>
@optional
- (NSSet<NSIndexPath *> *)collectionView:(NSCollectionView *)collectionView
         shouldSelectItemsAtIndexPaths:(NSSet<NSIndexPath *> *)indexPaths
    SWIFT_NAME("collectionView(_:shouldSelectItemsAt:)") MAIN_ACTOR;
- (void)collectionView:(NSCollectionView *)collectionView
    didSelectItemsAtIndexPaths:(NSSet<NSIndexPath *> *)indexPaths
    SWIFT_NAME("collectionView(_:didSelectItemsAt:)") MAIN_ACTOR;
- (void)collectionView:(NSCollectionView *)collectionView
    didDeselectItemsAtIndexPaths:(NSSet<NSIndexPath *> *)indexPaths
    SWIFT_NAME("collectionView(_:didDeselectItemsAt:)") MAIN_ACTOR;
@end

// developer.apple.com/documentation/appkit/nscollectionview
MAIN_ACTOR @interface NSCollectionView : NSView
@property(nullable, weak) id<NSCollectionViewDataSource> dataSource;
@property(nullable, weak) id<NSCollectionViewDelegate> delegate;
@property(nullable, weak) id<NSCollectionViewPrefetching> prefetchDataSource;
@end

#pragma clang assume_nonnull end
