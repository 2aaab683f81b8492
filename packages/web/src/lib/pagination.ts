/** Page metadata of a list response. The API uses two names for the last page. */
interface PageMeta {
  readonly current_page: number
  readonly last_page?: number
  readonly total_pages?: number
}

/** The next page number, or undefined on the last page. */
export const nextPage = ({ current_page, last_page = 0, total_pages = last_page }: PageMeta): number | undefined =>
  current_page < total_pages ? current_page + 1 : undefined
