/* A ring of a fixed size. */
struct ring {
  unsigned first, used;
  int slots[SLOTS];
};

int put(struct ring *ring, int value);
int take(struct ring *ring);
