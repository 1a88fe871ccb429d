/* Yorsh, Ball, Sagiv, "Testing, Abstraction, Theorem Proving: Better Together!", section 2.2. */
#define NULL ((void *)0)
void foo(int x, int y)
{
    int *px = NULL;
A:  x = x + 1;
B:  if (x < 4)
C:      px = &x;
D:  if (px == &y)
E:      x = x + 1;
F:  if (x < 5)
G:      *px = *px + 1;
H:  return;
}
