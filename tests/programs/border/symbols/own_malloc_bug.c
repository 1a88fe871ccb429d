// expect: false
// A program that brings its own malloc gets the same block twice.
extern void reach_error(void);
static char pool[64];

void *take(unsigned long n)
{
    (void)n;
    return pool;
}
#define malloc take

int main(void)
{
    char *a = malloc(8), *b = malloc(8);
    if (a == b)
        reach_error();
    return 0;
}
