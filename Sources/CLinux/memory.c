#define _GNU_SOURCE
#include "memory.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Unmaps the pages of one file, except those of segments that the program can write to. The other segments have no
 * changed pages, because code that is compiled with -fPIC needs no relocations there. */
static int release_file(struct dl_phdr_info *file, size_t size, void *page_size) {
    const uintptr_t mask = ~((uintptr_t)*(long *)page_size - 1);
    (void)size;
    for (size_t i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &file->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        const uintptr_t begin = (file->dlpi_addr + segment->p_vaddr) & mask;
        const uintptr_t end = file->dlpi_addr + segment->p_vaddr + segment->p_filesz;
        /* If the kernel refuses, for example because the pages are locked, the pages remain. */
        madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void clinux_program_pages_release(void) {
    long page_size = sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(release_file, &page_size);
}
