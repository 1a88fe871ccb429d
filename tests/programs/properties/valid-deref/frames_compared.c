// expect: true
// Variables of other functions are compared where they have no name.
struct node {
    struct node *next;
    int value;
};

static struct node *last;

static int is_last(struct node *n) { return n == last; }

static int with(int value) {
    struct node own = {last, value};
    struct node *before = last;
    last = &own;
    int sum = is_last(&own) ? last->value : 0;
    last = before;
    return sum;
}

int main(void) {
    struct node first = {0, 1};
    last = &first;
    int sum = with(2);
    if (is_last(&first))
        sum += last->value;
    return sum;
}
