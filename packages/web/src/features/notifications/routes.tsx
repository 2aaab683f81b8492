/** Filled in by this feature's pages. */
export const notificationRoutes = [] as const
