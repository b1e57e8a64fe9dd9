/// Why a schedule was not as it should be, or could not be run.
struct SimulationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
