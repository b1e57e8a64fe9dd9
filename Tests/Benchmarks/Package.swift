// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "SallyportBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Sallyport", path: "../.."),
        // Its traits bring an interposer for malloc; what is counted here is counted by CountedAllocations.
        .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
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
