// Reports: type 'Source' does not conform to protocol
internal import AppKit

@MainActor
final class Source: NSTableViewDataSource {
  func numberOfRows(in tableView: NSTableView) -> Int { 0 }
}
