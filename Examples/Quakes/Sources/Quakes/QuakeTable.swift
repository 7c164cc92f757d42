#if canImport(UIKit)
  import Freshet
  import FreshetUI
  import SwiftUI
  import UIKit

  /// The home list in a `UITableView`.
  struct QuakeTable: UIViewControllerRepresentable {
    let model: QuakeModel

    func makeUIViewController(context: Context) -> QuakeTableController {
      QuakeTableController(model.home)
    }

    func updateUIViewController(_ controller: QuakeTableController, context: Context) {}
  }

  /// A table of quakes: each step of the list is one batch.
  final class QuakeTableController: UITableViewController {
    private let list: ListController<DerivedList<Quake>>
    private var source: TableSource<Quake>?

    init(_ list: ListController<DerivedList<Quake>>) {
      self.list = list
      super.init(style: .plain)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("made in code") }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "quake")
      source = TableSource(tableView, list) { tableView, path, quake in
        let cell = tableView.dequeueReusableCell(withIdentifier: "quake", for: path)
        var content = cell.defaultContentConfiguration()
        content.text = "\(quake.magnitude) \(quake.properties.place)"
        content.secondaryText = quake.time.formatted(date: .abbreviated, time: .shortened)
        cell.contentConfiguration = content
        return cell
      }
    }
  }
#endif
