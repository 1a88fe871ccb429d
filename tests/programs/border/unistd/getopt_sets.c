// expect: true or unknown
// getopt says -1 when there is nothing left.
#include <unistd.h>
extern void reach_error(void);

int main(void)
{
    char a0[] = "p", a1[] = "-o", a2[] = "x", *words[4];
    int option;
    words[0] = a0;
    words[1] = a1;
    words[2] = a2;
    words[3] = 0;
    option = getopt(3, words, "o:");
    if (option == 'q')
        reach_error();
    return 0;
}
