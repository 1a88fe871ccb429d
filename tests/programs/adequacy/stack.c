/* The bounded stack of Figure 4 (Yorsh, Ball, Sagiv), over an array of its own. Without FIXED it
   forgets to look before it pops. An index outside of the array is an error. */
extern void reach_error(void);
#define MOST 8
static int elems[MOST];
static int size;
static int max;

static void index_in_range(int index)
{
    if (index < 0 || index >= MOST)
        reach_error();
}

void stack_new(int capacity)
{
    size = 0;
    if (capacity <= 0 || capacity > MOST)
        capacity = 2;
    max = capacity;
}

void pop(void)
{
#ifdef FIXED
    if (size > 0)
#endif
    size--;
}

void push(int k)
{
    int index;
    int already = 0;
    for (index = 0; index < size; index++) {
        index_in_range(index);
        if (k == elems[index]) {
            already = 1;
            break;
        }
    }
    if (already) {
        int j;
        for (j = index; j < size - 1; j++) {
            index_in_range(j + 1);
            elems[j] = elems[j + 1];
        }
        elems[size - 1] = k;
    } else {
        if (size < max) {
            index_in_range(size);
            elems[size] = k;
            size++;
        }
    }
}
