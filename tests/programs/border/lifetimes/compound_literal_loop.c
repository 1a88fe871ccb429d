// expect: true or unknown
// A compound literal of the function's block lives as long as the call.
extern void reach_error(void);

int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 3; i++) {
        int *p = (int[]){5};
        sum += *p;
        *p = 0;
    }
    if (sum != 15)
        reach_error();
    return 0;
}
