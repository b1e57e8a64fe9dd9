// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// The change that a user makes to their profile; an absent member stays as it is.
struct ProfileUpdate: Decodable, Sendable {
    /// The maximum length of a telephone number as typed, in bytes.
    private static let longestInput = 40

    private(set) var name: String?
    private(set) var phoneNumber: String?

    /// Decodes and checks the body of a request.
    ///
    /// - Throws: ``APIFailure`` (`invalid_profile`, 422, with a message for the user; `invalid_request`;
    ///   `request_too_large`).
    static func checked(_ request: Request) async throws -> ProfileUpdate {
        var update = try await JSONRequest.decode(ProfileUpdate.self, from: request)
        update.name = try update.name.map { try name($0) }
        update.phoneNumber = try update.phoneNumber.map { try phoneNumber($0) }
        return update
    }

    /// Returns a name without surrounding space, if it is short enough and can be shown on one line.
    private static func name(_ text: String) throws -> String {
        let name = text.trimmed
        guard !name.isEmpty else { throw APIFailure.invalidProfile("Enter a name.") }
        guard name.utf8.count <= AccountName.longest else { throw APIFailure.invalidProfile("The name is too long.") }
        guard name.unicodeScalars.allSatisfy(AccountName.isShown) else {
            throw APIFailure.invalidProfile("The name has a character that can't be shown.")
        }
        guard AccountName.isVisible(name) else { throw APIFailure.invalidProfile("Enter a name.") }
        return name
    }

    /// Returns a telephone number in the international form: `+`, the country code and the number, 8 to 15 digits.
    ///
    /// [ITU-T E.164](https://www.itu.int/rec/T-REC-E.164).
    private static func phoneNumber(_ text: String) throws -> String {
        let invalid = APIFailure.invalidProfile(
            "Enter the phone number with its country code, for example +1 415 555 0100."
        )
        guard text.utf8.count <= longestInput else { throw invalid }
        var typed = text.filter { !" -./()\u{A0}".contains($0) }
        if typed.hasPrefix("00") { typed = "+" + typed.dropFirst(2) }
        let digits = typed.dropFirst()
        guard typed.first == "+", (8...15).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { throw invalid }
        return typed
    }
}
