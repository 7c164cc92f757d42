// Reports: main actor-isolated function in a synchronous nonisolated context
internal import AppKit

extension NSTableViewDataSource {
  func rowCount(in view: NSTableView) -> Int { numberOfRows?(in: view) ?? 0 }
}
