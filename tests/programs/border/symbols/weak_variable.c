// expect: true or unknown
// A weak variable that nobody defines is read only if it is there.
extern void reach_error(void);
extern int limit __attribute__((weak));

int main(void)
{
    int n = &limit ? limit : 0;
    if (!&limit && n != 0)
        reach_error();
    return 0;
}
