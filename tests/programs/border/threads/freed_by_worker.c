// expect: true or unknown
// property: valid-free
// gcc: -pthread
// The thread frees the block, and nobody else does.
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *block)
{
    free(block);
    return 0;
}
int main(void)
{
    pthread_t id;
    void *block = malloc(8);
    if (pthread_create(&id, 0, drop, block) != 0)
        return 0;
    pthread_join(id, 0);
    return 0;
}
