/** Filled in by this feature's pages. */
export const spaceRoutes = [] as const
