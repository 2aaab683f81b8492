import { type ContentType, render } from '@lyceum/content'
import { countRows, type Db, statement } from '../../db/index.ts'
import { pagesById } from '../../util/pages-by-id.ts'

const PAGE = 500

interface Rendered {
  readonly id: number
  readonly message: string
  readonly message_rendered: string
  readonly content_type: string
}

type RenderedTable = 'feeds' | 'comments'

const MENTION = /class="mention" href="\/u\/([a-z0-9_-]{3,30})"/g

/** Renders the text again. Mentions stay as they were stored, because members join, leave and change their names. */
export const renderAgain = ({ message, message_rendered, content_type }: Omit<Rendered, 'id'>): string =>
  render(message, content_type as ContentType, {
    mentions: new Set([...message_rendered.matchAll(MENTION)].map((found) => found[1] ?? '')),
  })

/** `sample` is the maximum number of rows of a table to check, spread evenly. */
const staleRows = async (db: Db, table: RenderedTable, sample: number): Promise<number[]> => {
  const step = Math.max(1, Math.ceil((await countRows(db, () => table)) / sample))
  const page = statement<Rendered>(
    `select id, message, message_rendered, content_type from ${table} where id > $1 and id % ${step} = 0 order by id limit ${PAGE}`,
  )
  const stale: number[] = []
  for await (const rows of pagesById(PAGE, (after) => page(db, [after])))
    for (const row of rows) if (renderAgain(row) !== row.message_rendered) stale.push(row.id)
  return stale
}

/** Feeds and comments whose stored HTML differs from what their text renders to. */
export const findStaleHtml = async (db: Db, sample: number): Promise<Record<RenderedTable, number[]>> => ({
  feeds: await staleRows(db, 'feeds', sample),
  comments: await staleRows(db, 'comments', sample),
})
