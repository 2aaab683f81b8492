export const COUNTS = { members: 200, spaces: 12, posts: 2000, comments: 6000, reactions: 10_000, courses: 6 }
export const MOST = 10_000_000

export type DemoOptions = Partial<typeof COUNTS> & { readonly feeds?: number; readonly seed: string; readonly json?: true }
