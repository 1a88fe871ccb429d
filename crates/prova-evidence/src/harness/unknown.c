/* --- Objects that arbitrary pointers point to: pages at fixed addresses. --- */

extern void *prova_map(void *, __SIZE_TYPE__, int, int, int, long) __asm__("mmap");
__attribute__((constructor)) static void prova_map_unknown(void)
{
    for (unsigned i = 0; prova_pages[i]; i++) {
        void *at = (void *)(__UINTPTR_TYPE__)prova_pages[i];
        /* Readable, writable; private, anonymous, at this address and only if it is free. */
        if (prova_map(at, 4096, 3, 0x100022, -1, 0) != at)
            prova_stop(PROVA_DIVERGED, "no memory can be had where unknown objects lie", "");
    }
    for (unsigned i = 0; prova_unknown[i].address; i++)
        *(unsigned char *)(__UINTPTR_TYPE__)prova_unknown[i].address = prova_unknown[i].byte;
}
