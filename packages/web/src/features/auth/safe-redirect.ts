/** A way within the app, or home: anything else could lead a member elsewhere. */
export const withinApp = (to: string | undefined): string => (to && /^\/(?![/\\])/.test(to) ? to : '/')
