/** Plain text of rendered HTML. Nothing in it is loaded or executed. */
export const htmlToText = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
