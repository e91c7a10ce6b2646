/// A challenge for Basic authentication in a `WWW-Authenticate` field (RFC 7617; RFC 9110, section 11.6.1).
enum BasicChallenge {
    /// The realm; empty when the challenge names none, `nil` when there is no such challenge.
    static func realm(in field: String) -> String? {
        var isBasic = false
        for member in members(of: field) {
            var rest = Substring(member)
            let word = rest.prefix { $0 != " " && $0 != "=" && $0 != "\t" }
            rest = rest.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
            // `Basic realm="x"` begins a challenge, `realm="x"` goes on with one.
            if rest.first != "=" {
                if isBasic { return "" }
                isBasic = word.lowercased() == "basic"
                guard isBasic else { continue }
                if let realm = parameter("realm", in: rest) { return realm }
            } else if isBasic, let realm = parameter("realm", in: Substring(member)) {
                return realm
            }
        }
        return isBasic ? "" : nil
    }

    /// What `Authorization` has to say.
    static func authorization(_ credential: URLCredential) -> String {
        let text = "\(credential.user ?? ""):\(credential.password ?? "")"
        return "Basic \(Data(text.utf8).base64EncodedString())"
    }

    /// What stands between the commas outside of quotes, without the blanks around it.
    static func members(of field: String) -> [String] {
        var members: [String] = []
        var member = ""
        var isQuoted = false
        var isEscaped = false
        for character in field {
            if character == ",", !isQuoted {
                members.append(member)
                member = ""
                continue
            }
            member.append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
        }
        return (members + [member]).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The value of a parameter `name=value`, without quotes.
    static func parameter(_ name: String, in text: Substring) -> String? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        guard text[..<equals].trimmingCharacters(in: .whitespaces).lowercased() == name else { return nil }
        let value = text[text.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        guard value.first == "\"" else { return value }
        var unquoted = ""
        var isEscaped = false
        for character in value.dropFirst() {
            if !isEscaped, character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { unquoted.append(character) }
        }
        return unquoted
    }
}
