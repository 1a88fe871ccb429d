// expect: pure true, havoc false
// In a program that recurses: procedure by procedure.
extern void reach_error(void);
extern void get(int *to);
int total;

static void down(int n)
{
    if (n > 0) {
        get(&total);
        down(n - 1);
    }
}

int main(void)
{
    down(2);
    if (total == 5)
        reach_error();
    return 0;
}
