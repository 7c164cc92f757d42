public import ObjectiveC

// Which classes the sources mean, as Foundation of Linux has classes of these names, too. This file
// is compiled with the sources.
public typealias NSObject = ObjectiveCObject
public typealias NSCoder = ObjectiveCCoder
