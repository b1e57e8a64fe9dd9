// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// An executor that runs an actor on its own serial queue, so that blocking code occupies no cooperative thread.
final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }
}
