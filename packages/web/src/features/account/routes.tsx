/** Filled in by this feature's pages. */
export const accountRoutes = [] as const
