/* Orders of evaluation that C fixes, and values kept across side effects. */
#include <stdio.h>

int counter;
static int next(void) { return ++counter; }
static int zero(void) { counter = 0; return 1; }
static int trace;
static int mark(int k, int result) { trace = trace * 10 + k; return result; }

struct node { int value; struct node *link; };

int main(void)
{
    int i = 0, a[4] = { 0 };
    a[i++] = 5;
    a[i] = a[i - 1]++ + 1;
    printf("%d %d %d\n", i, a[0], a[1]);
    int x = (i = 3, i + 1);
    printf("%d %d\n", x, i);
    int both = mark(1, 0) && mark(2, 1);
    int either = mark(3, 0) || mark(4, 1);
    printf("%d %d %d\n", both, either, trace);
    trace = 0;
    int picked = mark(1, 0) ? mark(2, 7) : mark(3, 8);
    printf("%d %d\n", picked, trace);
    zero() ? next() : 0;
    printf("%d\n", counter);
    int old = counter;
    counter += 5;
    printf("%d %d\n", old, counter);
    struct node two = { 2, 0 }, one = { 1, &two }, *p = &one;
    (p = p->link)->value += 10;
    printf("%d %d\n", one.value + two.value, p->value);
    unsigned char c = 255;
    int wrapped = ++c;
    int was = c--;
    printf("%d %d %d\n", wrapped, was, c);
    int chain, other;
    chain = other = 300;
    char narrow;
    int through = narrow = chain;
    printf("%d %d %d\n", chain, other, through);
    return 0;
}
