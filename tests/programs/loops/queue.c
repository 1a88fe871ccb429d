// expect: true
// Head and tail of a bounded queue keep their distance.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SIZE = 8 };

int main(void)
{
    int head = 0, tail = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (tail - head < SIZE && tail < 1000)
                tail++;
        } else if (head < tail) {
            head++;
        }
        if (head > tail || tail - head > SIZE)
            reach_error();
    }
    return 0;
}
