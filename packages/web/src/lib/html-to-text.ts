/** The text of rendered HTML, for places that show text alone. Nothing in it is loaded or run. */
export const plain = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
