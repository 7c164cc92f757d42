// What the shapes of UIKit and AppKit stand on. ObjectiveC.swift says which values of Swift the
// classes here are.

#pragma once

#define MAIN_ACTOR __attribute__((swift_attr("@MainActor")))
#define SWIFT_NAME(name) __attribute__((swift_name(name)))
// Before the body of an enumeration: `ENUM(UIThingStyle, "UIThing.Style") { ... };`
#define ENUM(type, name) \
  typedef enum __attribute__((enum_extensibility(open), swift_name(name))) type : NSInteger type; \
  enum type : NSInteger

typedef long NSInteger;
typedef _Bool BOOL;

#pragma clang assume_nonnull begin

// What Foundation of Linux has, too, is by another name here: Names.swift says what is meant.

// developer.apple.com/documentation/objectivec/nsobjectprotocol
SWIFT_NAME("ObjectiveCObjectProtocol")
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@end

// developer.apple.com/documentation/objectivec/nsobject-swift.class
SWIFT_NAME("ObjectiveCObject") __attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init;
@end

__attribute__((swift_bridge("Swift.String")))
@interface NSString : NSObject
@end

__attribute__((swift_bridge("Swift.Array")))
@interface NSArray<__covariant Element> : NSObject
@end

__attribute__((swift_bridge("Swift.Set")))
@interface NSSet<__covariant Element> : NSObject
@end

__attribute__((swift_bridge("IndexPath")))
@interface NSIndexPath : NSObject
@end

__attribute__((swift_bridge("IndexSet")))
@interface NSIndexSet : NSObject
@end

__attribute__((swift_bridge("Notification")))
@interface NSNotification : NSObject
@end

SWIFT_NAME("ObjectiveCBundle")
@interface NSBundle : NSObject
@end

SWIFT_NAME("ObjectiveCCoder")
@interface NSCoder : NSObject
@end

// developer.apple.com/documentation/foundation/nscoding
@protocol NSCoding
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end

#pragma clang assume_nonnull end
