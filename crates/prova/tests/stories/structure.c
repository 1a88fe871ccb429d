extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int a, b; };
static struct pair swap(struct pair p) {
  struct pair q = {p.b, p.a};
  return q;
}
int main(void) {
  struct pair p = {1, 2};
  p = swap(p);
  if (p.a == 2)
    reach_error();
  return 0;
}
