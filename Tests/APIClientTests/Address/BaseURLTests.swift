// SPDX-License-Identifier: Apache-2.0

import APIClient
import Testing

@Suite struct BaseURLTests {
    @Test(arguments: [
        ("https://api.example.com", "https://api.example.com"),
        ("https://api.example.com/", "https://api.example.com"),
        ("https://api.example.com//", "https://api.example.com"),
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        ("https://api.example.com/v1/", "https://api.example.com/v1"),
        ("HTTPS://API.Example.COM/V1", "https://api.example.com/V1"),
        ("https://api.example.com:443/v1", "https://api.example.com/v1"),
        ("https://api.example.com:8443", "https://api.example.com:8443"),
        ("https://10.0.0.1", "https://10.0.0.1"),
        ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
        ("https://api.example.com/a%20b", "https://api.example.com/a%20b"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://LOCALHOST:80", "http://localhost"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.255.0.3", "http://127.255.0.3"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ])
    func `a valid base URL is accepted and normalized`(text: String, address: String) throws {
        #expect(try BaseURL(text).description == address)
    }

    @Test(
        arguments: [
            ("", .malformed), ("api.example.com", .malformed), ("/v1", .malformed), ("https:", .malformed),
            ("https://", .malformed), ("https:///v1", .malformed), ("//api.example.com", .malformed),
            ("https://api example.com", .malformed), ("https://api.example.com/a b", .malformed),
            ("https://api.example.com\n", .malformed), ("https://api.ex\u{E4}mple.com", .malformed),
            ("https://api.example.com\\@evil.com", .malformed), ("https://api.example.com:99999", .malformed),
            ("https://api.example.com:0", .malformed), ("https://api.example.com:x", .malformed),
            ("https://api.example.com/%zz", .malformed), ("https://[::1", .malformed),
            ("https://evil.com%2F.example.com", .malformed), ("https://evil.com%00.example.com", .malformed),
            ("ftp://api.example.com", .unsupportedScheme), ("file:///etc/passwd", .malformed),
            ("ws://api.example.com", .unsupportedScheme),
            ("https://user@api.example.com", .unexpectedPart), ("https://user:pass@api.example.com", .unexpectedPart),
            ("https://@api.example.com", .unexpectedPart), ("https://api.example.com@evil.com", .unexpectedPart),
            ("https://api.example.com?a=b", .unexpectedPart), ("https://api.example.com/?", .unexpectedPart),
            ("https://api.example.com#x", .unexpectedPart), ("https://api.example.com/v1#", .unexpectedPart),
            ("https://api.example.com/a/../b", .unexpectedPart), ("https://api.example.com/..", .unexpectedPart),
            ("https://api.example.com/./a", .unexpectedPart), ("https://api.example.com/%2e%2E/a", .unexpectedPart),
            ("https://api.example.com/a%2F..%2fb", .unexpectedPart),
            ("https://api.example.com/a%5c..", .unexpectedPart),
            ("http://api.example.com", .insecure), ("http://10.0.0.1", .insecure), ("http://0.0.0.0", .insecure),
            ("http://127.0.0.1.evil.com", .insecure), ("http://localhost.evil.com", .insecure),
            ("http://evil-localhost", .insecure), ("http://127.1", .insecure), ("http://127.0.0.256", .insecure),
            ("http://127.0.0.+1", .insecure), ("http://127.0.0.1.", .insecure), ("http://128.0.0.1", .insecure),
            ("http://[::2]", .insecure), ("http://[2001:db8::1]", .insecure), ("http://0127.0.0.1", .insecure),
            ("http://user@127.0.0.1", .unexpectedPart),
        ] as [(String, BaseURLError.Code)]
    )
    func `an invalid or unsafe base URL is refused`(text: String, code: BaseURLError.Code) {
        let error = #expect(throws: BaseURLError.self) { try BaseURL(text) }
        #expect(error?.code == code)
    }

    @Test func `a base URL that is too long is refused`() {
        let error = #expect(throws: BaseURLError.self) {
            try BaseURL("https://api.example.com/" + String(repeating: "a", count: 1_000_000))
        }
        #expect(error?.code == .malformed)
    }

    @Test func `plain http is accepted if insecureHTTP allows it`() throws {
        #expect(
            try BaseURL("http://10.0.0.1:8080", insecureHTTP: .insecurelyAllowHTTP).origin == "http://10.0.0.1:8080"
        )
    }

    @Test func `insecurelyAllowHTTP allows plain http and nothing else`() {
        let error = #expect(throws: BaseURLError.self) {
            try BaseURL("http://user@10.0.0.1", insecureHTTP: .insecurelyAllowHTTP)
        }
        #expect(error?.code == .unexpectedPart)
    }

    @Test func `a base URL exposes its parts`() throws {
        let url = try BaseURL("https://[2001:DB8::1]:8443/v1/")
        #expect(url.scheme == "https")
        #expect(url.host == "2001:db8::1")
        #expect(url.authority == "[2001:db8::1]:8443")
        #expect(url.origin == "https://[2001:db8::1]:8443")
        #expect(url.pathPrefix == "/v1")
    }

    @Test func `an error does not repeat the URL`() {
        let error = #expect(throws: BaseURLError.self) { try BaseURL("https://user:sk-4f1d@api.example.com") }
        #expect(error?.description.contains("4f1d") == false)
    }

    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "a.localhost.", "127.0.0.1", "127.0.0.1.", "127.1",
        "127.0.1", "2130706433", "0x7f000001", "0X7F.1", "0x7f.0x0.0.01", "0177.0.0.1", "017700000001", "0", "0x",
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.1", "172.16.0.1", "172.31.255.255", "172.1048577", "192.168.0.1",
        "192.168.257", "0xc0a80001", "169.254.169.254", "%31%32%37.0.0.1", "100.64.0.1", "100.127.255.255",
        "198.18.0.1", "198.19.255.255", "224.0.0.1", "255.255.255.255", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]",
        "[::127.0.0.1]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:a00:1]", "[::ffff:0.0.0.0]", "[64:ff9b::192.168.0.1]",
        "[fc00::1]", "[fdff::1]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[ff02::1]",
    ])
    func `localhost and an address that is not reached over the internet are local`(host: String) throws {
        #expect(try BaseURL("https://\(host):8443/a").isLocal)
    }

    @Test(arguments: [
        "example.com", "localhost.example.com", "notlocalhost", "local", "127.0.0.1.example.com", "1.1.1.1",
        "9.255.255.255", "11.0.0.1", "126.255.255.255", "128.0.0.1", "169.253.0.1", "169.255.0.1", "172.15.0.1",
        "172.32.0.1", "100.63.0.1", "100.128.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "192.167.0.1",
        "192.169.0.1", "16843009", "0x01010101", "010.0.0.1", "10.example", "127.0.0.256",
        "127.+0.0.1", "127.-0.0.1", "0x7f00000100", "1.2.3.4.5", "face.b00c", "[2001:db8::1]", "[::ffff:1.1.1.1]",
        "[64:ff9b::1.1.1.1]", "[fb00::1]", "[fe00::1]", "[1::127.0.0.1]",
    ])
    func `another name or address is not local`(host: String) throws {
        #expect(try !BaseURL("https://\(host)").isLocal)
    }

    @Test(arguments: ["[fe80::1%25lo]", "[fe80::1%lo]", "[::1%251]"])
    func `an address with a zone is refused`(host: String) {
        #expect(throws: BaseURLError(.malformed)) { try BaseURL("https://\(host)") }
    }
}
