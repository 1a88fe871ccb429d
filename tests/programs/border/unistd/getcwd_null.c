// expect: true or unknown
// property: no-null-deref
// getcwd may have too little room, which is asked.
#include <unistd.h>

int main(void)
{
    char name[1];
    char *folder = getcwd(name, sizeof name);
    if (!folder)
        return 0;
    return folder[0];
}
