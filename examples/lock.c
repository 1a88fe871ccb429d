// The same as lock_bug.c, without the bug: data is never moved from a device to itself.
//
// prova check examples/lock.c

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct device {
  int locked;
  int bytes;
};

static void acquire(struct device *device) {
  if (device->locked)
    reach_error();
  device->locked = 1;
}

static void release(struct device *device) {
  if (!device->locked)
    reach_error();
  device->locked = 0;
}

static void move(struct device *from, struct device *to, int bytes) {
  if (from == to)
    return;
  acquire(from);
  if (from->bytes >= bytes) {
    acquire(to);
    from->bytes -= bytes;
    to->bytes += bytes;
    release(to);
  }
  release(from);
}

int main(void) {
  struct device disk = {0, 4096}, tape = {0, 0};
  struct device *target = &tape;
  int command = __VERIFIER_nondet_int();

  if (command == 4711) // rewind
    target = &disk;
  move(&disk, target, 512);
  return 0;
}
