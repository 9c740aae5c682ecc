import Glibc

/// Reads logs of receivers, such as NMEA sentences, with gpsd's own decoder.
enum ReceiverLog {
    /// A program of Debian's package gpsd-clients.
    private static let decoder = "gpsdecode"

    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        try GpsdCapture.read(decoded(bytes, file: file), file: file)
    }

    private static func decoded(_ bytes: [UInt8], file: String) throws(DriveError) -> [UInt8] {
        // The decoder reads a file, because two pipes to it could block this program.
        guard let log = tmpfile() else { throw .unreadable(file: file, cause: String(cString: strerror(errno))) }
        defer { fclose(log) }
        guard fwrite(bytes, 1, bytes.count, log) == bytes.count, fflush(log) == 0 else {
            throw .unreadable(file: file, cause: String(cString: strerror(errno)))
        }
        rewind(log)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .unreadable(file: file, cause: String(cString: strerror(errno))) }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = start(reading: fileno(log), writing: ends[1])
        close(ends[1])
        guard let child else { throw .noDecoder(file: file) }
        let json = contents(of: ends[0])
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // wait(2): the lower byte is the signal, the next one the exit status, which is 127 if the decoder is missing.
        guard status == 0 else { throw status >> 8 & 0xff == 127 ? .noDecoder(file: file) : .undecodable(file: file) }
        return json
    }

    /// Nil if the decoder is missing, or if the system refuses.
    private static func start(reading input: Int32, writing output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = [strdup(decoder), strdup("-j"), nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        return posix_spawnp(&child, decoder, &actions, nil, &arguments, nil) == 0 ? child : nil
    }

    private static func contents(of descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }
}
