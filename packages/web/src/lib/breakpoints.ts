/** The only widths, in rem, at which layouts change: a unit test compares the style sheets with this list. */
export const BREAKPOINTS = { narrow: 30, medium: 40, wide: 52, extraWide: 68 } as const
