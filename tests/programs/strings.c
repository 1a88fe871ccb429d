// expect: true
// Copying and comparing strings.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#include <string.h>

int main(void)
{
    char text[16];
    strcpy(text, "lock");
    strcat(text, "step");
    if (strlen(text) != 8 || strcmp(text, "lockstep") || memcmp(text, "lock", 4))
        reach_error();
    return 0;
}
