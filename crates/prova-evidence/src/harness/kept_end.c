/* Runs when the program ends, after what it does at its end itself. */
__attribute__((destructor(101))) static void prova_look_at_blocks(void)
{
    unsigned left = prova_too_many ? 0 : prova_blocks_left();
    if (!left)
        return;
    prova_say("prova: blocks that are left: ");
    prova_say_number(left);
    prova_say("\n");
    prova_error_reached("the program ends and blocks are left");
}

/* Runs where the program ends in the midst of calls, the last of which has this frame. */
static void prova_ends(char *frame)
{
    prova_roots(frame);
    prova_look_at_blocks();
    prova_kept_count = 0;
}

