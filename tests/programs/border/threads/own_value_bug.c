// expect: false or unknown
// gcc: -pthread
// A value that belongs to the thread is null before it is set.
#include <pthread.h>
extern void reach_error(void);

int main(void)
{
    pthread_key_t key;
    int x = 1;
    if (pthread_key_create(&key, 0) != 0)
        return 0;
    if (pthread_getspecific(key) == 0 && x)
        reach_error();
    return 0;
}
