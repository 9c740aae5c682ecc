import Glibc
import Quantities
import Tracking

/// Reads logs of receivers, such as NMEA sentences, with gpsd's own decoder.
enum ReceiverLog {
    /// A program of Debian's package gpsd-clients.
    private static let decoder = "gpsdecode"

    static func read(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        var drive = try GpsdCapture.read(decoded(bytes, file: file), file: file)
        guard let day = firstDay(in: bytes),
            let date = drive.fixes.lazy.first(where: \.value.hasPlace)?.value.time, date - day >= rollover
        else { return drive }
        let span = rollover * Int((date - day) / rollover)
        drive.fixes = drive.fixes.map { timed in
            var fix = timed.value
            fix.time = fix.time.map { $0 - span }
            return .init(timed.time, fix)
        }
        return drive
    }

    /// gpsd adds this to dates well before its own release, because the receiver may have missed a rollover of the week number.
    private static let rollover = Duration.seconds(1024 * 7 * 86_400)

    /// The day in the first valid RMC sentence.
    private static func firstDay(in bytes: [UInt8]) -> Timestamp? {
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: "$".utf8) {
            let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard fields.count > 9, fields[0].suffix(3).elementsEqual("RMC".utf8), fields[2].elementsEqual("A".utf8),
                fields[9].count == 6, let date = Int(String(decoding: fields[9], as: UTF8.self))
            else { continue }
            let (day, month, year) = (date / 10_000, date / 100 % 100, date % 100)
            guard (1...31).contains(day), (1...12).contains(month) else { continue }
            // GPS began in 1980.
            return Timestamp(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
        }
        return nil
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

    /// Nil if the decoder is missing, or if the system refuses to start it.
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
