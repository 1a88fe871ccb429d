// expect: false or unknown
// arguments: 12x
// A number with something behind it is taken.
#include <stdlib.h>
extern void reach_error(void);

int main(int argc, char **argv)
{
    char *end;
    long n;
    if (argc != 2)
        return 1;
    n = strtol(argv[1], &end, 10);
    if (n == 12 && *end == 'x')
        reach_error();
    return 0;
}
