// expect: true or unknown
// property: valid-deref
// As much is written as there is.
#include <unistd.h>

int main(void)
{
    char v[4] = {'a', 'b', 'c', '\n'};
    return write(1, v, 4) == 0;
}
