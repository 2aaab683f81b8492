import type { Options } from 'minisearch'

/** A section of a page, which the search finds. */
export interface Section {
  /** Path of the page in the site, with the anchor. */
  readonly id: string
  readonly title: string
  /** Empty for the text before the first heading. */
  readonly heading: string
  readonly text: string
}

const LONG_WORD = 5

export const SEARCH_OPTIONS: Options<Section> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'text'],
  searchOptions: {
    boost: { title: 4, heading: 3 },
    prefix: true,
    fuzzy: (term) => (term.length >= LONG_WORD ? 0.2 : false),
    combineWith: 'AND',
    // The beginning of a page before its sections, and decision records last.
    boostDocument: (id: string) => (id.includes('#') ? 1 : 1.5) * (id.startsWith('adr/') ? 0.4 : 1),
  },
}
