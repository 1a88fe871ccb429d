// expect: false or unknown
// property: valid-deref
// More is written than there is.
#include <unistd.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', '\n'};
    return write(1, v, 12) == 0;
}
