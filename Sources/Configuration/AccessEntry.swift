import Upload
import Yams

/// The tracker's credentials, and the trusted servers.
enum AccessEntry {
    static func read(_ reader: inout MappingReader, _ secrets: SecretReader) -> TargetAccess {
        var access = TargetAccess()
        access.username = reader.string("username")
        access.password = password(&reader, secrets)
        if reader.child("token")?.mapping?["url"] != nil {
            access.tokenEndpoint = tokenEndpoint(&reader, secrets)
        } else {
            access.token = secrets.secret("token", &reader)
        }
        access.headers = headers(&reader, secrets)
        access.caFile = secrets.readable("caFile", &reader)
        access.certificateFile = secrets.readable("certificateFile", &reader)
        access.keyFile = secrets.readable("keyFile", &reader)
        for key in ["certificateFile", "keyFile"] {
            // A certificate is public, but the file that contains its key is secret.
            guard let path = key == "keyFile" || access.keyFile == nil ? reader.child(key)?.scalar?.string : nil,
                let node = reader.child(key)
            else { continue }
            secrets.notePermissions(of: path, "`\(reader.full(key))`: ", node)
        }
        return access
    }

    private static func password(_ reader: inout MappingReader, _ secrets: SecretReader) -> SecretSource? {
        let direct = secrets.secret("password", &reader)
        guard let node = reader.child("passwordFile") else { return direct }
        if reader.child("password") != nil {
            reader.problems.add("`passwordFile` and `password` are both set. Keep one of them.", at: node)
        }
        return secrets.fileSource(&reader, key: "passwordFile")
    }

    private static func tokenEndpoint(_ reader: inout MappingReader, _ secrets: SecretReader) -> TokenEndpoint? {
        reader.mapping("token") { part in
            let (url, client) = (part.string("url"), part.string("clientId"))
            part.missing("clientId", "Write the client identifier that is registered at the token server.")
            let secret = secrets.secret("clientSecret", &part)
            let refresh = secrets.secret("refreshToken", &part)
            let scope = part.string("scope")
            guard let url, let client else { return nil }
            return TokenEndpoint(
                url: url, clientID: client, clientSecret: secret, refreshToken: refresh, scope: scope)
        }
    }

    private static func headers(_ reader: inout MappingReader, _ secrets: SecretReader) -> [TargetAccess.Header] {
        reader.mapping("headers") { part in
            let names = part.node.mapping?.keys.compactMap(\.string) ?? []
            return names.compactMap { name in
                secrets.secret(name, &part).map { TargetAccess.Header(name: name, value: $0) }
            }
        } ?? []
    }
}
