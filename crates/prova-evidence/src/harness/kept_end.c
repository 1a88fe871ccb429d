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

