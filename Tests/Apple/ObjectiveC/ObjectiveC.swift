@_exported public import Foundation
@_exported public import ObjectiveC

// The values for which the headers' classes stand, by the names that the headers give.
public typealias IndexPath = Foundation.IndexPath
public typealias IndexSet = Foundation.IndexSet
public typealias Notification = Foundation.Notification

// developer.apple.com/documentation/foundation/indexpath: what UIKit and AppKit add to it.
extension IndexPath {
  public init(row: Int, section: Int) { fatalError() }
  public init(item: Int, section: Int) { fatalError() }
  public var section: Int { fatalError() }
  public var row: Int { fatalError() }
  public var item: Int { fatalError() }
}
