// expect: true or unknown
// native: static void flip(int *at) { *at = 1; } void (*table[2])(int *) = {flip, flip};
// What is called through a table of somebody else's writes what it was given, and nothing else.
extern void reach_error(void);
extern void (*table[2])(int *);

int main(void)
{
    int given = 0, kept = 0;
    table[1](&given);
    if (kept != 0)
        reach_error();
    return 0;
}
