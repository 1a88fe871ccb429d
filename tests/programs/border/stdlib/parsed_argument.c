// expect: true or unknown
// arguments: 12x
// The end of the number is asked for.
#include <stdlib.h>
extern void reach_error(void);

int main(int argc, char **argv)
{
    char *end;
    long n;
    if (argc != 2)
        return 1;
    n = strtol(argv[1], &end, 10);
    if (end == argv[1] || *end != 0)
        return 1;
    if (*end != 0)
        reach_error();
    return 0;
}
