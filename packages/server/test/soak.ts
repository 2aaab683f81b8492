/** What proves more the more often it is done is done so many times over: LYCEUM_TEST_SOAK, else once. */
export const SOAK = Math.max(1, Number(process.env['LYCEUM_TEST_SOAK']) || 1)
