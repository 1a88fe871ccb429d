// check: --property valid-deref
#include <stdlib.h>
#include <string.h>
struct user { unsigned id; char *name; };
static struct user *make(unsigned id, const char *name)
{
    struct user *user = malloc(sizeof *user);
    if (!user)
        return NULL;
    user->id = id;
    user->name = malloc(strlen(name));
    if (user->name)
        strcpy(user->name, name);
    return user;
}
int main(void)
{
    struct user *user = make(4000000000u, "root");
    return user ? user->id == 1 : 0;
}
