// expect: true
// A union has one member at a time, in initialisers, too.
extern void reach_error(void);
union word { char bytes[8]; int number; };
static union word kept = {.bytes = {1, 2, 3, 4, 5, 6, 7, 8}, .number = 1};

int main(void)
{
    union word w = {.bytes = {1, 2, 3, 4, 5, 6, 7, 8}, .number = 1};
    if (w.bytes[7] != 0 || kept.bytes[7] != 0 || kept.number != 1)
        reach_error();
    return 0;
}
