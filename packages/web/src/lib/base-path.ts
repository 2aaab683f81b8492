interface Page {
  querySelector(selector: string): { readonly content?: string } | null
}

/** Path below which the app is served; empty if it has a host of its own, and outside of a browser, such as in unit tests. */
export const BASE_PATH = (globalThis as { readonly document?: Page }).document?.querySelector('meta[name="base-path"]')?.content ?? ''
