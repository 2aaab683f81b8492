/** Filled in by this feature's pages. */
export const adminRoutes = [] as const
