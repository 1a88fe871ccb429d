/* A ring of a fixed size. An index outside of it is an error. */
extern void reach_error(void);
#define SLOTS 4
struct ring {
    unsigned first, used;
    int slots[SLOTS];
};

static int *slot(struct ring *ring, unsigned index)
{
    if (index >= SLOTS)
        reach_error();
    return &ring->slots[index];
}

void ring_init(struct ring *ring)
{
    ring->first = 0;
    ring->used = 0;
}

int ring_put(struct ring *ring, int value)
{
    unsigned end;
    if (ring->used == SLOTS)
        return 0;
    end = ring->first + ring->used;
    if (end >= SLOTS)
        end -= SLOTS;
    *slot(ring, end) = value;
    ring->used++;
    return 1;
}

int ring_take(struct ring *ring)
{
    int value;
    if (ring->used == 0)
        return -1;
    value = *slot(ring, ring->first);
    ring->first++;
    if (ring->first == SLOTS)
        ring->first = 0;
    ring->used--;
    return value;
}
