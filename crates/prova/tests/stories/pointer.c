extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node second = {5, 0}, first = {4, &second};
  struct node *at = &first;
  first.value = 1;
  at = at->next;
  at->value++;
  if (second.value == 6)
    reach_error();
  return 0;
}
