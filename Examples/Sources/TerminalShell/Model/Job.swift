/// A job as the backend shows it.
struct Job: Sendable, Hashable, Decodable {
    let id: String
    let title: String
    let address: String
    let status: String
}
