// expect: true or unknown
// property: valid-deref
// arguments: longer-than-eight
// The length of an argument is asked for before it is copied.
#include <string.h>

int main(int argc, char **argv)
{
    char name[8];
    if (argc < 2)
        return 1;
    if (strlen(argv[1]) > 7)
        return 1;
    strcpy(name, argv[1]);
    return name[0];
}
