// expect: pure true, havoc true
// What was given to nobody stays: another global, another local, a string.
extern void reach_error(void);
extern void get(int *to);
int given, kept = 7, *p = &kept;

int main(void)
{
    int local = 3, *q = &local;
    get(&given);
    get(0);
    if (kept != 7 || *p != 7 || *q != 3)
        reach_error();
    return 0;
}
