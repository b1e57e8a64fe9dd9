// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// A Kubernetes API server and container registry in Python, on https and loopback, and the real clients.
struct KubernetesAPI: Sendable {
    let url: String
    private let folder: TemporaryFolder
    private let process: RunningProcess

    /// Whether this machine has a kubectl that is no stub.
    static func hasKubectl() async throws -> Bool {
        guard Executable.find("kubectl") != nil else { return false }
        let output = try await Command("kubectl", ["version", "--client"]).run()
        return output.exitCode == 0 && output.text.contains("Client Version: v1.")
    }

    /// Runs a test with a server that accepts one token, and always stops it.
    static func run(accepting token: String, _ test: (KubernetesAPI) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let program = MisbehavingProvider.support("kubernetes-api")
        let (running, input) = try RunningProcess.server(program, [folder.url.appending(path: "ca.pem").path])
        do {
            try input.write(contentsOf: Data("\(token)\n".utf8))
            let port = try await running.read(until: "\n").split(separator: "\n").first
            let url = "https://127.0.0.1:\(try #require(port))"
            try await test(KubernetesAPI(url: url, folder: folder, process: running))
        } catch {
            await running.end()
            throw error
        }
        await running.end()
    }

    /// Lists the namespaces with kubectl, which runs the tool with these arguments.
    func namespaces(
        _ version: String,
        _ arguments: [String],
        environment: [String: String]
    ) async throws -> Command.Output {
        let exec: [String: Any] = [
            "apiVersion": "client.authentication.k8s.io/\(version)", "interactiveMode": "Never",
            "command": try Executable.besideTests("sallyport").path, "args": arguments,
        ]
        let cluster = ["server": url, "certificate-authority": folder.url.appending(path: "ca.pem").path]
        let config: [String: Any] = [
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [["name": "test", "cluster": cluster]],
            "contexts": [["name": "test", "context": ["cluster": "test", "user": "test"]]],
            "users": [["name": "test", "user": ["exec": exec]]],
        ]
        let file = folder.url.appending(path: "config")
        try JSONSerialization.data(withJSONObject: config, options: .withoutEscapingSlashes).write(to: file)
        var environment = environment
        environment["KUBECACHEDIR"] = folder.url.appending(path: "cache").path
        let words = ["--kubeconfig", file.path, "get", "namespaces", "--output", "name"]
        return try await Command("kubectl", words, environment: environment).run()
    }

    /// Reads the manifest of the registry's image with Docker, for which a script runs the tool.
    func manifest(environment: [String: String]) async throws -> Command.Output {
        let registry = url.dropFirst("https://".count)
        // A file that this process has just written can't be executed while any child still has it open.
        let script = """
            printf '#!/bin/sh\nexec "%s" docker-credential --for "%s" "$@"\n' "$1" "$2" >"$0/docker-credential-sallyport"
            chmod 700 "$0/docker-credential-sallyport"
            printf '{"credHelpers": {"%s": "sallyport"}}' "$3" >"$0/config.json"
            PATH="$0:$PATH" DOCKER_CONFIG="$0" exec docker manifest inspect --insecure "$3/sally:latest"
            """
        let tool = try Executable.besideTests("sallyport").path
        let words = ["-c", script, folder.url.path, tool, url, String(registry)]
        return try await Command("sh", words, environment: environment).run()
    }
}
