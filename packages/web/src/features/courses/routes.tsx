/** Filled in by this feature's pages. */
export const courseRoutes = [] as const
