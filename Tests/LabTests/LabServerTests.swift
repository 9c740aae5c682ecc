import Glibc
import Peers
import Testing

extension InTheLab {
    @Suite("The lab's modem", .enabled(if: LabServer.missing.isEmpty, "not installed: \(LabServer.missing)"))
    struct LabServerTests {
        @Test("The lab's modem leads to a server that records requests, unless it is down.")
        func link() throws {
            let server = try LabServer.make()
            try server.start(denying: false)
            #expect(try Self.post("one", to: server))
            try LabServer.isLinkUp(false)
            #expect(try !Self.post("two", to: server))
            try LabServer.isLinkUp(true)
            #expect(try Self.post("three", to: server))
            #expect(server.bodies == ["one", "three"])
        }

        private static func post(_ body: String, to server: WebServer) throws -> Bool {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = server.port.bigEndian
            address.sin_addr.s_addr = inet_addr(LabServer.address)
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { return false }
            let request = Array("POST /pub HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
            var answer = [UInt8](repeating: 0, count: 12)
            guard write(descriptor, request, request.count) == request.count else { return false }
            guard recv(descriptor, &answer, answer.count, Int32(MSG_WAITALL)) == answer.count else { return false }
            return answer.elementsEqual("HTTP/1.1 200".utf8)
        }
    }
}
