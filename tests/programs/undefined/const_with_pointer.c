// expect: pure true, havoc false
// The structure is const, what its pointer leads to is not.
extern void reach_error(void);
struct message { int kind; int *value; };
extern void send_message(const struct message *m);

int main(void)
{
    int value = 5;
    struct message m = { 1, &value };
    send_message(&m);
    if (m.kind == 1 && value != 5)
        reach_error();
    return 0;
}
