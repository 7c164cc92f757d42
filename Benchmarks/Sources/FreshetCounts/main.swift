// make counts: how many instructions a fixed piece of work takes, which noise does not change.
//
//   FreshetCounts WORKLOAD REPEATS
//
// The work is done so many times after it was prepared: what two runs with other repeats differ by
// is the work alone. Without arguments the names of the workloads are printed.

import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first, let repeats = arguments.last.flatMap(Int.init) else {
  for workload in workloads { print(workload.name, workload.repeats) }
  exit(0)
}
guard let workload = workloads.first(where: { $0.name == name }) else {
  FileHandle.standardError.write(Data("There is no workload \(name).\n".utf8))
  exit(2)
}
// An asynchronous main is more than the counting tool bears.
let done = DispatchSemaphore(value: 0)
Task.detached {
  await workload.run(repeats)
  done.signal()
}
done.wait()
// What is still let go belongs to every run, not to those that end a moment later.
Thread.sleep(forTimeInterval: 2)
