// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
import HTTPTypes

/// `sallyport api`: calls the backend's API with the session's access token.
struct APICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api",
        abstract: "Call the API as the signed-in user.",
        usage: "sallyport api METHOD PATH-or-URL [--data JSON | --data-file FILE] [options]",
        discussion: """
            The access token is refreshed if necessary. After a 401 the request is sent once more with a new token. The \
            token of a backend's session is sent only to that backend. The token of a provider's session is sent to the \
            URL's server; a path means the provider. If the sign-in named its APIs with --resource, the token is sent \
            only to their servers and to those of --allow-origin. A response is printed unchanged; on a terminal its \
            control characters are escaped.
            """,
        examples: [
            Example("Read", "api GET /api/jobs"),
            Example("Send JSON, and print the response's header", "api POST /api/jobs --data '{}' --include"),
            Example("Call another API that takes the token", "api GET https://api.example.com/me"),
        ]
    )

    @Argument(help: "GET, POST, PUT, PATCH, DELETE, ...")
    var method: String

    @Argument(help: "A path such as /api/jobs, or a URL.")
    var target: String

    @Option(name: .long, help: ArgumentHelp("JSON to send.", valueName: "json"))
    var data: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A file to send; - for standard input.", valueName: "file"),
        completion: .file()
    )
    var dataFile: String?

    @Option(name: .customLong("header"), help: "A header field, \"Name: value\". May be given more than once.")
    var headers: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A server that the token may be sent to besides those of login --resource. May be given more than once.",
            valueName: "url"
        )
    )
    var allowOrigin: [String] = []

    @Flag(name: .long, help: "Print the status and the header fields before the body.")
    var include = false

    @Option(name: .long, help: "Send this many requests at once, and count the statuses of their responses.")
    var concurrent = 1

    @OptionGroup var global: GlobalOptions

    mutating func validate() throws {
        guard data == nil || dataFile == nil else { throw ValidationError("Give either --data or --data-file.") }
        guard (1...1_000).contains(concurrent) else { throw ValidationError("--concurrent takes 1 to 1000.") }
        guard HTTPRequest.Method(method.uppercased()) != nil else { throw ValidationError("The method is invalid.") }
    }

    func run() async throws {
        let start = Date()
        let origins = Set(try allowOrigin.map { try BaseURL($0).origin })
        let session = try await global.storedSession()
        let base = try APITarget.base(of: target, for: session, allowing: origins)
        let endpoint = try endpoint(at: base)
        let source: any AccessTokenSource = origins.contains(base.origin) ? Self.allowing(base, session) : session
        let client = APIClient(
            baseURL: base,
            authenticatedBy: source,
            apiKey: session.apiKey,
            transport: try global.transport(),
            timeout: global.timeout,
            logger: global.logger
        )
        let status: HTTPResponse.Status
        var stepUp: StepUpChallenge?
        if concurrent > 1 {
            status = try await sendMany(endpoint, client)
            try await session.finish()
        } else {
            let response = try await client.send(endpoint)
            try await session.finish()
            Terminal.response((include ? Array(head(response.head).utf8) : []) + response.body)
            status = response.head.status
            stepUp = StepUpChallenge(response.head)
        }
        if let stepUp { throw await Failure(stepUp, of: session, profile: global.profile) }
        guard status.kind != .successful else { return }
        throw Failure(answer: status.code, token: await session.accessTokenLifetime, commandStart: start)
    }

    /// Returns the session as a source whose tokens may also go to a server that the user names.
    static func allowing(_ base: BaseURL, _ session: some KeptSession) -> any AccessTokenSource {
        session.allowing(base)
    }

    private func endpoint(at base: BaseURL) throws -> Endpoint<TransportResponse> {
        guard let method = HTTPRequest.Method(method.uppercased()) else { throw ExitStatus.wrongArguments }
        let target = try APITarget(target, at: base)
        let body = try bodyBytes().map { RequestBody($0, contentType: "application/json") }
        var endpoint = Endpoint.raw(method, target.path, query: target.query, body: body)
        // Some APIs, GitHub's among them, refuse a request without a user agent.
        endpoint.headers[.userAgent] = "sallyport/\(Sallyport.configuration.version)"
        for header in headers {
            let field = try Self.field(header)
            endpoint.headers[field.name] = field.value
        }
        return endpoint
    }

    private func bodyBytes() throws -> [UInt8]? {
        if let data { return Array(data.utf8) }
        guard let dataFile else { return nil }
        if dataFile == "-" { return try StandardInput.readAll() }
        do {
            return Array(try Data(contentsOf: URL(filePath: dataFile)))
        } catch {
            throw Failure(.wrongArguments, "The file \(dataFile) can't be read.", "Check --data-file.")
        }
    }

    private static func field(_ text: String) throws -> HTTPField {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
            throw Failure(.wrongArguments, "A header field is not \"Name: value\".", "Check --header.")
        }
        let value = String(parts[1].drop { $0 == " " })
        guard HTTPField.isValidValue(value) else {
            throw Failure(.wrongArguments, "A header field is not \"Name: value\".", "Check --header.")
        }
        return HTTPField(name: name, value: value)
    }

    private func sendMany(_ endpoint: Endpoint<TransportResponse>, _ client: APIClient) async throws
        -> HTTPResponse.Status
    {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<concurrent {
                group.addTask { try await client.send(endpoint).head.status.code }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        for (status, count) in statuses.sorted(by: { $0.key < $1.key }) {
            Terminal.result("\(count) × \(status)")
        }
        return HTTPResponse.Status(code: statuses.keys.max() ?? 200)
    }

    private func head(_ head: HTTPResponse) -> String {
        let fields = head.headerFields.map { "\($0.name.rawName): \($0.value)" }
        let status = ["\(head.status.code)", head.status.reasonPhrase].filter { !$0.isEmpty }.joined(separator: " ")
        return ([status] + fields).map { $0 + "\n" }.joined() + "\n"
    }
}

extension Failure {
    /// Creates the failure for a response without success.
    ///
    /// A 401 concerns the access token, because an ended session was reported before.
    ///
    /// - Parameters:
    ///   - status: The response's status.
    ///   - token: The access token's times of issue and expiry.
    ///   - commandStart: The start of the command.
    fileprivate init(answer status: Int, token: TokenLifetime?, commandStart: Date) {
        let said = "The response is on standard output."
        guard status == 401, let issuedAt = token?.issuedAt else {
            self.init(.failed, "The server responded with \(status).", said)
            return
        }
        if let end = token?.expiresAt, end <= Date() {
            let seconds = Int(end.timeIntervalSince(issuedAt).rounded())
            self.init(
                .failed,
                "The server responded with 401: the access token expired on its way, because it lasts only \(seconds) seconds.",
                "The session stays; try again."
            )
        } else if issuedAt >= commandStart {
            self.init(
                .failed,
                "The server responded with 401, although the access token is new.",
                "The session stays. \(said)"
            )
        } else {
            self.init(.failed, "The server responded with \(status).", said)
        }
    }
}
