/** A path within the app, or home. Anything else would be an open redirect. */
export const safeRedirect = (to: string | undefined): string => (to && /^\/(?![/\\])/.test(to) ? to : '/')
