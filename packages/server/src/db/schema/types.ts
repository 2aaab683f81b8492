/** What the columns of rows hold: the same on SQLite and PostgreSQL. Ids and counts are integers. */

/** A switch. */
export type Flag = 0 | 1
/** The wire's text: `YYYY-MM-DD HH:MM:SS`, UTC. */
export type Datetime = string
/** Text that is never queried inside. */
export type Json = string
