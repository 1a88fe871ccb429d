/* --- Objects that arbitrary pointers point to: pages at fixed addresses. --- */

extern void *prova_map(void *, __SIZE_TYPE__, int, int, int, long) __asm__("mmap");
__attribute__((constructor)) static void prova_map_unknown(void)
{
    for (unsigned i = 0; prova_pages[i]; i++) {
        void *at = (void *)(__UINTPTR_TYPE__)prova_pages[i];
        /* Readable, writable; private, anonymous, at this address and only if it is free. */
        void *got = prova_map(at, 4096, 3, 0x100022, -1, 0);
#ifdef __SANITIZE_ADDRESS__
        /* The sanitizer reserves the whole zone for its allocator, which takes nothing from the first
           64 GB: blocks of size class 0 would lie there, and there are none. */
        if (got != at && prova_pages[i] >> 36 == 0x600)
            got = prova_map(at, 4096, 3, 0x32, -1, 0);
#endif
        if (got != at)
            prova_stop(PROVA_DIVERGED, "no memory can be had where unknown objects lie", "");
    }
    for (unsigned i = 0; prova_unknown[i].address; i++)
        *(unsigned char *)(__UINTPTR_TYPE__)prova_unknown[i].address = prova_unknown[i].byte;
}
