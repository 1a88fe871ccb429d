// expect: false or unknown
// property: valid-deref
// arguments: longer-than-eight
// An argument may be longer than the buffer.
#include <string.h>

int main(int argc, char **argv)
{
    char name[8];
    if (argc < 2)
        return 1;
    strcpy(name, argv[1]);
    return name[0];
}
