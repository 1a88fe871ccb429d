// expect: true
// After DASH Figure 3: only the aliasing that tests meet has to be considered.
// entry: alias
extern void reach_error(void);

void alias(int *p, int *p1, int *p2) {
    if (p == p1)
        return;
    if (p == p2)
        return;
    *p1 = 0;
    *p2 = 0;
    *p = 1;
    if (*p1 == 1 || *p2 == 1)
        reach_error();
    p = p1;
    p = p2;
}
