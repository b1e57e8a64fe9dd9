// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

@Suite struct ClockOffsetTests {
    /// The date `Fri, 15 Jan 2027 08:00:00 GMT`.
    private static let server = Date(timeIntervalSince1970: 1_800_000_000)
    private static let field = "Fri, 15 Jan 2027 08:00:00 GMT"

    private static func offset(deviceAhead seconds: Double, took: Double = 0) throws -> ClockOffset {
        let sent = server + seconds
        return try #require(ClockOffset(dateField: field, sent: sent, received: sent + took))
    }

    @Test(arguments: [-840.0, -61.0, 61.0, 840.0, 31_536_000.0] as [Double])
    func `the offset of a wrong clock is computed from the Date field`(ahead: Double) throws {
        let offset = try Self.offset(deviceAhead: ahead)
        let error = abs(offset.duration / .seconds(1) + ahead)
        #expect(error <= 1)
    }

    @Test(
        arguments: [(0.0, false), (-60, false), (60, false), (-61, true), (62, true), (-840, true)] as [(Double, Bool)]
    )
    func `an offset of more than a minute is notable`(ahead: Double, isNotable: Bool) throws {
        #expect(try Self.offset(deviceAhead: ahead).isNotable == isNotable)
    }

    @Test(arguments: [(0.0, 0.0), (0.5, 0), (0.9, 0.05), (-3, 5), (-0.1, 0.2)] as [(Double, Double)])
    func `a difference within rounding and latency counts as zero`(ahead: Double, took: Double) throws {
        #expect(try Self.offset(deviceAhead: ahead, took: took) == .zero)
    }

    @Test func `a slow response does not increase the offset`() throws {
        #expect(try Self.offset(deviceAhead: -100, took: 30).duration == .seconds(70))
        #expect(try Self.offset(deviceAhead: 100, took: 30).duration == .seconds(-99))
    }

    @Test(arguments: ["", "yesterday", "Fri, 15 Jan 2027 08:00:00 CET"])
    func `an invalid Date field gives no offset`(field: String) {
        #expect(ClockOffset(dateField: field, sent: Self.server, received: Self.server) == nil)
    }

    @Test func `a clock that goes backwards during the request gives no offset`() {
        #expect(ClockOffset(dateField: Self.field, sent: Self.server, received: Self.server - 1) == nil)
    }

    /// The purpose of the type: a device whose clock is 14 minutes slow or fast knows the token's real expiry.
    @Test(arguments: [-840.0, 840.0] as [Double])
    func `a device that is 14 minutes off still knows when a token expires`(ahead: Double) throws {
        let iat = Int(Self.server.timeIntervalSince1970)
        let claims = try UnverifiedJWT(CompactJWT.make(payload: #"{"iat":\#(iat),"exp":\#(iat + 600)}"#)).claims
        let device = Self.server + ahead
        let lifetime = claims.lifetime(offset: try Self.offset(deviceAhead: ahead))
        #expect(lifetime.freshness(at: device, window: .longLivedToken) == .fresh)
        #expect(lifetime.freshness(at: device + 602, window: .longLivedToken) == .expired)
        let naive = claims.lifetime().freshness(at: device, window: .longLivedToken)
        #expect(naive == (ahead > 0 ? .expired : .fresh))
    }

    @Test func `the description states the offset in words`() throws {
        #expect(try Self.offset(deviceAhead: -840).description == "This device's clock is 14 minutes slow.")
        #expect(try Self.offset(deviceAhead: 841).description == "This device's clock is 14 minutes fast.")
        #expect(try Self.offset(deviceAhead: -100).description == "This device's clock is 2 minutes slow.")
        #expect(try Self.offset(deviceAhead: -7_200).description == "This device's clock is 2 hours slow.")
        #expect(try Self.offset(deviceAhead: -108_000).description == "This device's clock is 30 hours slow.")
        #expect(try Self.offset(deviceAhead: 31_536_001).description == "This device's clock is 365 days fast.")
        #expect(ClockOffset.zero.description == "This device's clock is right.")
    }
}
