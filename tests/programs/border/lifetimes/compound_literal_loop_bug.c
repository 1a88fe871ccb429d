// expect: false or unknown
// A compound literal is set anew in every round.
extern void reach_error(void);

int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 3; i++) {
        int *p = (int[]){5};
        sum += *p;
        *p = 0;
    }
    if (sum != 5)
        reach_error();
    return 0;
}
