// A table view controller over NSFetchedResultsController, ported: what it does to its cells stays
// as it was.

#if canImport(UIKit) && !os(watchOS)
  import Freshet
  import FreshetUI
  import UIKit

  struct Tremor: ListItem, Codable {
    let id: Int
    var place: String
    var day: String
  }

  // snippet.show
  final class TremorsViewController: UITableViewController {
    let tremors: ResultsController<Tremor, MemoryStore<Tremor>.Request>
    lazy var source = TableSource(tableView, tremors) { [unowned self] tableView, path, tremor in
      let cell = tableView.dequeueReusableCell(withIdentifier: "tremor", for: path)
      configure(cell, with: tremor)
      return cell
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "tremor")
      source.indexTitle = { String($0.prefix(4)) }
      tremors.performFetch(.all)
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt path: IndexPath) {
      guard let tremor = source.item(at: path) else { return }
      print("Opens \(tremor.place)")
    }

    func configure(_ cell: UITableViewCell, with tremor: Tremor) {
      var content = cell.defaultContentConfiguration()
      content.text = tremor.place
      cell.contentConfiguration = content
    }
    // snippet.hide

    init(_ tremors: ResultsController<Tremor, MemoryStore<Tremor>.Request>) {
      self.tremors = tremors
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
    // snippet.show
  }
// snippet.hide
#endif
