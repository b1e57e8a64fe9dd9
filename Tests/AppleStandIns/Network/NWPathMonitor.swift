// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

/// A network as a monitor reports it.
public struct NWPath: Sendable {
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public let status: Status
}

/// A monitor that reports the network at first and after each change, on the queue of `start(queue:)`, until cancelled.
public final class NWPathMonitor {
    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?

    private let number = StandInNetwork.nextNumber()

    public init() {}

    public func start(queue: DispatchQueue) {
        StandInNetwork.add(number, queue, pathUpdateHandler)
    }

    public func cancel() {
        StandInNetwork.remove(number)
    }
}
