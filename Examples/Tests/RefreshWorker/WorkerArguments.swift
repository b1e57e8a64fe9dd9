/// The command line, in its order.
struct WorkerArguments {
    private let values: [String]

    init(_ values: [String]) {
        self.values = values
    }

    subscript(_ index: Int) -> String {
        get throws {
            guard values.indices.contains(index) else { throw WorkerError("argument \(index) is missing") }
            return values[index]
        }
    }

    func number(_ index: Int) throws -> Int {
        guard let number = Int(try self[index]) else { throw WorkerError("argument \(index) is no number") }
        return number
    }
}

/// Why a worker gives up.
struct WorkerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
