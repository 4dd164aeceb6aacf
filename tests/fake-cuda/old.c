/* A library that is too old to have what is looked for. */
int fake_old(void);
int fake_old(void)
{
	return 0;
}
