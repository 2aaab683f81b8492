/** Filled in by this feature's pages. */
export const peopleRoutes = [] as const
