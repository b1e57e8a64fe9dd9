// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A scheduler that runs every job of this program on its main thread, one at a time, in an order of a seed.
///
/// A job is the code between two suspensions. The Swift runtime calls a hook before it gives a job to its thread pool;
/// here jobs wait in a list, and the next one is drawn at random. So every order in which tasks and actors can resume
/// is possible, and the same seed reproduces the same order.
enum Scheduler {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    /// The waiting jobs; safe, since only the main thread accesses them, which the hook enforces.
    private nonisolated(unsafe) static var jobs: [UnownedJob] = []
    private static let mainThread = pthread_self()
    private static let executor = MainThread()

    /// Takes all jobs from the runtime, from now on and permanently.
    ///
    /// - Throws: ``SimulationError`` if this Swift runtime has no such hook.
    static func takeOver() throws {
        _ = mainThread
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else {
            throw SimulationError("this Swift runtime has no hook for its jobs")
        }
        unsafe symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
            // A job from another thread would come in an order that no seed determines.
            precondition(pthread_equal(pthread_self(), Scheduler.mainThread) != 0, "a job came from another thread")
            unsafe Scheduler.jobs.append(job)
        }
    }

    /// Runs one job if any is ready.
    ///
    /// - Parameter random: The generator that draws the job.
    /// - Returns: Whether there was a job.
    static func runOne(_ random: SeededRandom) -> Bool {
        let count = unsafe jobs.count
        guard count > 0 else { return false }
        let drawn = random.below(count)
        unsafe jobs.swapAt(drawn, count - 1)
        let job = unsafe jobs.removeLast()
        unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor())
        return true
    }

    /// A distinct executor, so that every hop to an actor becomes a job as well.
    private final class MainThread: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            unsafe Scheduler.jobs.append(UnownedJob(job))
        }
    }
}
