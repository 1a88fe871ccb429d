// expect: true
// property: valid-deref
// Seven letters and the terminator fit into eight bytes.
#include <string.h>

int main(void)
{
    char to[8];
    strcpy(to, "letters");
    return to[0] == 'x';
}
