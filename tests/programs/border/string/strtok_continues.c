// expect: true
// strtok with null goes on behind the first part, and then there is nothing.
#include <string.h>
extern void reach_error(void);

int main(void)
{
    char line[] = "a;b";
    char *first = strtok(line, ";");
    char *second = strtok(0, ";");
    (void)first;
    if (second == 0 || *second != 'b')
        reach_error();
    return 0;
}
