// expect: true
// options: --entry clear
#include "prova.h"

static int cells[3];

void clear(void)
{
    prova_ensures(prova_forall(i, 0, 3, cells[i] == 0));
    prova_assigns(cells);
    for (int i = 0; i < 3; i++)
        cells[i] = 0;
}
