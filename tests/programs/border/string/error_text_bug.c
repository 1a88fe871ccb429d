// expect: false or unknown
// property: no-null-deref
// strpbrk returns null where no letter of the set is found.
#include <string.h>

int main(void)
{
    const char *text = strpbrk("abc", "xyz");
    return *text == 'N';
}
