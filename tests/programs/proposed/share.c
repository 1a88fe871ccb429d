// function: share
// proved: yes
// has: prova_requires(among != 0);
// lacks: prova_valid
// Unsigned, so that nothing but the divisor matters.
unsigned share(unsigned whole, unsigned among)
{
    return whole / among;
}
