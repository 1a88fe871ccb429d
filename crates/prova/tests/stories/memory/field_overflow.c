// check: --property valid-deref
extern unsigned char __VERIFIER_nondet_uchar(void);
struct packet {
    unsigned char length;
    unsigned char data[4];
};
static struct packet packet;
int main(void)
{
    unsigned char checksum = 0;
    unsigned i;
    packet.length = __VERIFIER_nondet_uchar();
    if (packet.length > 5)
        return 1;
    for (i = 0; i < packet.length; i++)
        checksum ^= packet.data[i];
    return checksum;
}
