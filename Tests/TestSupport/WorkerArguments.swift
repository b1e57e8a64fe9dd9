/// A test process's command line, in its order.
public struct WorkerArguments: Sendable {
    private let values: [String]

    /// Takes them.
    ///
    /// - Parameter values: The command line, or what is left of it.
    public init(_ values: [String]) {
        self.values = values
    }

    /// One of them.
    ///
    /// - Throws: ``WorkerError`` where it is missing.
    public subscript(_ index: Int) -> String {
        get throws {
            guard values.indices.contains(index) else { throw WorkerError("argument \(index) is missing") }
            return values[index]
        }
    }

    /// One of them, as a number.
    ///
    /// - Throws: ``WorkerError`` where it is missing or none.
    public func number(_ index: Int) throws -> Int {
        guard let number = Int(try self[index]) else { throw WorkerError("argument \(index) is no number") }
        return number
    }
}

/// Why a test process gives up.
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
