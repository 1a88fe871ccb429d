// expect: false or unknown
// property: no-null-deref
// getcwd returns null where there is too little room.
#include <unistd.h>

int main(void)
{
    char name[1];
    char *folder = getcwd(name, sizeof name);
    return folder[0];
}
