#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs every job of this program on its main thread, one at a time, in an order that a seed decides.
///
/// A job is what runs between two suspensions. The Swift runtime asks a hook before it gives a job to its thread pool; here
/// they wait in a list, and the next one is drawn. So every order in which tasks and actors can go on can come up, and
/// the same seed brings the same one again.
enum Scheduler {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    /// All of it is touched by the main thread alone: the hook makes sure.
    private nonisolated(unsafe) static var jobs: [UnownedJob] = []
    private static let mainThread = pthread_self()
    private static let executor = MainThread()

    /// Takes the jobs from the runtime, from now on and for good.
    ///
    /// - Throws: ``SimulationError`` where this Swift runtime has no such hook.
    static func takeOver() throws {
        _ = mainThread
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else {
            throw SimulationError("this Swift runtime has no hook for its jobs")
        }
        unsafe symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
            // A job of another thread would come in an order that no seed decides.
            precondition(pthread_equal(pthread_self(), Scheduler.mainThread) != 0, "a job came from another thread")
            unsafe Scheduler.jobs.append(job)
        }
    }

    /// Runs one job, where any is ready.
    ///
    /// - Parameter random: What draws it.
    /// - Returns: Whether there was one.
    static func runOne(_ random: SeededRandom) -> Bool {
        let count = unsafe jobs.count
        guard count > 0 else { return false }
        let drawn = random.below(count)
        unsafe jobs.swapAt(drawn, count - 1)
        let job = unsafe jobs.removeLast()
        unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor())
        return true
    }

    /// An executor of its own kind, so that every hop to an actor is a job too.
    private final class MainThread: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            unsafe Scheduler.jobs.append(UnownedJob(job))
        }
    }
}
