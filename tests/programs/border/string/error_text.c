// expect: true or unknown
// property: no-null-deref
// strerror returns a string that can be read.
#include <string.h>

int main(void)
{
    const char *text = strerror(2);
    return *text == 'N';
}
