// Which class the sources mean: Foundation of Linux has one of this name, too.
public import ObjectiveC

public typealias NSObject = ObjectiveCObject
