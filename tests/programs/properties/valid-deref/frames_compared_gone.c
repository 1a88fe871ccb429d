// expect: false
// Variables of other functions are compared where they have no name; one of them is gone.
struct node {
    struct node *next;
    int value;
};

static struct node *last;

static int is_last(struct node *n) { return n == last; }

static int with(int value) {
    struct node own = {last, value};
    last = &own;
    return is_last(&own) ? last->value : 0;
}

int main(void) {
    struct node first = {0, 1};
    last = &first;
    int sum = is_last(&first) + with(2);
    sum += last->value; // bad
    return sum;
}
