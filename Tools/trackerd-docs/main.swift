// trackerd-docs: rewrites the generated parts of docs/. `make docs` runs this program; no installation contains it.

import Documents
import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 1, let root = arguments.first, root != "--help" else {
    print("Usage: trackerd-docs FOLDER\n\nRewrites the generated parts of the documents in the checkout FOLDER.")
    exit(arguments.first == "--help" ? 0 : 2)
}
do {
    for file in try GeneratedFile.all(in: root) where try file.write(below: root) { print("\(file.path): updated") }
} catch {
    let text = Array("\(error)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    exit(1)
}
