// expect: true
// After DASH Figure 1: a lock behind a structure that may alias two other locks.
// entry: run
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct guarded { int *lock; int *data; };
int *first, *second;

void run(struct guarded *g, int seen) {
    int leave = 0;
    if (g->data == g->lock || g->data == first || g->data == second)
        return;
    if (g->lock == first) {
        leave = 1;
        g->lock = second;
    } else if (g->lock == second) {
        leave = 1;
        g->lock = first;
    }
    *(g->lock) = 0;
    *first = 0;
    *second = 0;
    if (leave)
        return;
    do {
        if (*(g->lock) != 0)
            reach_error();
        *(g->lock) = 1;
        if (*first == 1 || *second == 1)
            reach_error();
        seen = *(g->data);
        if (__VERIFIER_nondet_int()) {
            (*(g->data))++;
            if (*(g->lock) != 1)
                reach_error();
            *(g->lock) = 0;
        }
    } while (seen != *(g->data));
    if (*(g->lock) != 1)
        reach_error();
    *(g->lock) = 0;
}
