// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "SallyportBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Sallyport", path: "../..", traits: [.defaults, "AsyncHTTPClient"]),
        // Its traits add an interposer for malloc; these benchmarks count with CountedAllocations.
        .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .target(name: "CountedAllocations", path: "CountedAllocations"),
        .systemLibrary(name: "CLibsecret", path: "CLibsecret", pkgConfig: "libsecret-1"),
        .target(name: "LibsecretLookup", dependencies: ["CLibsecret"], path: "LibsecretLookup"),
        .executableTarget(
            name: "KeyringReading",
            dependencies: [
                "LibsecretLookup",
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "SecureStore", package: "Sallyport"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/KeyringReading",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // The backend of the benchmarks over HTTP.
        .target(
            name: "LocalBackend",
            dependencies: [
                .product(name: "APIClient", package: "Sallyport"),
                .product(name: "AppBackendSession", package: "Sallyport"),
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "AuthSession", package: "Sallyport"),
                .product(name: "SecureStore", package: "Sallyport"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "LocalBackend"
        ),
        .executableTarget(
            name: "AccessTokenServing",
            dependencies: [
                "CountedAllocations",
                "LocalBackend",
                .product(name: "APIClient", package: "Sallyport"),
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "AuthSession", package: "Sallyport"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/AccessTokenServing",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "AuthenticatedRequests",
            dependencies: [
                "LocalBackend",
                .product(name: "APIClient", package: "Sallyport"),
                .product(name: "AsyncHTTPClientAuthorization", package: "Sallyport"),
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "AuthSession", package: "Sallyport"),
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Benchmarks/AuthenticatedRequests",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "ExpiredToken",
            dependencies: [
                "LocalBackend",
                .product(name: "APIClient", package: "Sallyport"),
                .product(name: "AuthSession", package: "Sallyport"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/ExpiredToken",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // A simulation instead of a benchmark: it prints a table and ends.
        .executableTarget(
            name: "RefreshLoad",
            dependencies: [
                .product(name: "APIClient", package: "Sallyport"),
                .product(name: "AppBackendSession", package: "Sallyport"),
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "AuthSession", package: "Sallyport"),
                .product(name: "AuthTesting", package: "Sallyport"),
                .product(name: "SecureStore", package: "Sallyport"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Benchmarks/RefreshLoad"
        ),
        .executableTarget(
            name: "JWTDecoding",
            dependencies: [
                "CountedAllocations",
                .product(name: "AuthCore", package: "Sallyport"),
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            path: "Benchmarks/JWTDecoding",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ]
)
