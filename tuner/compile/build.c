#include "compile/build.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct search {
    uintptr_t address; /* address of an NVRTC function */
    struct nvrtc_version *version;
};

/* Finds the linker's build identifier among the notes of a segment. */
static void read_notes(const unsigned char *at, size_t left, struct nvrtc_version *version)
{
    ElfW(Nhdr) note;
    while (left >= sizeof note) {
        memcpy(&note, at, sizeof note);
        size_t name = ((size_t)note.n_namesz + 3) & ~(size_t)3, value = ((size_t)note.n_descsz + 3) & ~(size_t)3;
        const unsigned char *bytes = at + sizeof note + name;
        if (name > left - sizeof note || value > left - sizeof note - name)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at + sizeof note, "GNU", 4) == 0) {
            for (size_t i = 0; i < note.n_descsz && 2 * i + 2 < sizeof version->build; i++)
                snprintf(version->build + 2 * i, 3, "%02x", bytes[i]);
            return;
        }
        at += sizeof note + name + value;
        left -= sizeof note + name + value;
    }
}

/* Identifies the library (or the program) that contains the function. */
static int look_into(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    struct stat about;
    bool inside = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && !inside; i++)
        inside = info->dlpi_phdr[i].p_type == PT_LOAD &&
                 search->address - info->dlpi_addr - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz;
    if (!inside)
        return 0;
    for (int i = 0; i < info->dlpi_phnum && !*search->version->build; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes((const unsigned char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                       info->dlpi_phdr[i].p_memsz, search->version);
    /* Without a build identifier, the file's identity distinguishes builds on this machine. */
    if (!*search->version->build && stat(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe", &about) == 0)
        snprintf(search->version->build, sizeof search->version->build, "%lld-%lld.%09ld", (long long)about.st_size,
                 (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
    return 1;
}

void nvrtc_identify(const struct nvrtc *nvrtc, struct nvrtc_version *version)
{
    struct search search = {.version = version};
    int major = 0, minor = 0;
    memset(version, 0, sizeof *version);
    if (nvrtc->nvrtcVersion(&major, &minor) != NVRTC_SUCCESS)
        return;
    search.address = (uintptr_t)nvrtc->nvrtcVersion;
    snprintf(version->number, sizeof version->number, "%d.%d", major, minor);
    dl_iterate_phdr(look_into, &search);
}
