extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int state;
static void start(void) { state = 1; }
static void stop(void) {
  if (state != 1)
    reach_error();
  state = 0;
}
int main(void) {
  start();
  stop();
  stop();
  return 0;
}
