/** Types of column values, the same on both databases. Ids and counts are integers. */

/** A boolean. */
export type Flag = 0 | 1
/** `YYYY-MM-DD HH:MM:SS` in UTC, as in the API. */
export type Datetime = string
/** JSON as text, which SQL does not query. */
export type Json = string
