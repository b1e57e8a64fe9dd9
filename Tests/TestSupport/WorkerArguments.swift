// SPDX-License-Identifier: Apache-2.0

/// The arguments of a test process, in their order.
public struct WorkerArguments: Sendable {
    private let values: [String]

    /// Creates a list of arguments.
    ///
    /// - Parameter values: The command line, or the rest of it.
    public init(_ values: [String]) {
        self.values = values
    }

    /// Returns an argument.
    ///
    /// - Throws: ``WorkerError`` if it is missing.
    public subscript(_ index: Int) -> String {
        get throws {
            guard values.indices.contains(index) else { throw WorkerError("argument \(index) is missing") }
            return values[index]
        }
    }

    /// Returns an argument as a number.
    ///
    /// - Throws: ``WorkerError`` if it is missing or not a number.
    public func number(_ index: Int) throws -> Int {
        guard let number = Int(try self[index]) else { throw WorkerError("argument \(index) is not a number") }
        return number
    }
}

/// An error that ends a test process.
public struct WorkerError: Error, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// Makes an error.
    ///
    /// - Parameter description: The reason.
    public init(_ description: String) {
        self.description = description
    }
}
