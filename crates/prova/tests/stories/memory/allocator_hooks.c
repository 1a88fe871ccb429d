// check: --property valid-deref
#include <stdlib.h>
struct hooks {
    void *(*allocate)(size_t);
    void (*release)(void *);
};
static struct hooks hooks = {malloc, free};
int main(void)
{
    char *block = hooks.allocate(16);
    if (!block)
        return 1;
    block[16] = 1;
    hooks.release(block);
    return 0;
}
