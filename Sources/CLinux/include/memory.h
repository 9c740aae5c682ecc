// Memory that the program no longer uses.

#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/// Unmaps the unchanged pages of the program and its libraries. The kernel maps a page again when the program uses it.
void clinux_program_pages_release(void);

#endif
