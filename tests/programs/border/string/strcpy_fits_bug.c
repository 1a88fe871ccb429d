// expect: false
// property: valid-deref
// Eight letters fit into eight bytes, their terminator does not.
#include <string.h>

int main(void)
{
    char to[8];
    strcpy(to, "eighteen");
    return to[0] == 'x';
}
