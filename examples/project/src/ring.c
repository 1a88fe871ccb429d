#include "ring.h"

extern void reach_error(void);

int put(struct ring *ring, int value) {
  if (ring->used == SLOTS)
    return 0;
  ring->slots[(ring->first + ring->used) % SLOTS] = value;
  ring->used++;
  return 1;
}

int take(struct ring *ring) {
  if (ring->used == 0)
    reach_error(); /* nothing is there to be taken */
  int value = ring->slots[ring->first];
  ring->first = (ring->first + 1) % SLOTS;
  ring->used--;
  return value;
}
