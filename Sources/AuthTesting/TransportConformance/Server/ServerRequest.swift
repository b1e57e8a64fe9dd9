/// The head of a request as a server got it.
package struct ServerRequest: Sendable {
    /// One header field, as it was written.
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package let method: String
    /// Path and query.
    package let target: String
    package let fields: [Field]

    /// The values of all fields of a name, however it is capitalised.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
