/* <errno.h>: the one object that models write by `__prova_set_errno`, where a program reads it. */
int __prova_errno;

int *__errno_location(void) { return &__prova_errno; }
