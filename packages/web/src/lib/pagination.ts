/** Where a page is among those of its list, by either of the names that the API has for the last one. */
interface Place {
  readonly current_page: number
  readonly last_page?: number
  readonly total_pages?: number
}

/** The number of the page after that; undefined: it is the last. */
export const pageAfter = ({ current_page, last_page = 0, total_pages = last_page }: Place): number | undefined =>
  current_page < total_pages ? current_page + 1 : undefined
