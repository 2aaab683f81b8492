import type { ContentType } from '../../../../server/src/content/render.ts'
import { batchStatement, type Db } from '../../../../server/src/db/index.ts'
import { newPathOf, redirectsOf } from '../../../../server/src/modules/redirects/index.ts'
import type { AddressReader } from './addresses.ts'
import { findReferences } from './scan.ts'
import type { TextThread } from './text-thread.ts'
import type { TextJob } from './write-text.ts'

export interface TextInput {
  readonly text: string
  /** Whether it is converted to Markdown. */
  readonly isHtml: boolean
  readonly contentType: ContentType
  /** Maximum length in bytes. */
  readonly most: number
  readonly answers?: string | undefined
  readonly title?: string | undefined
}

export interface PreparedText {
  readonly message: string
  readonly html: string
  readonly document: string
  /** It has an address of the source that does not lead anywhere yet. */
  readonly unresolved: boolean
  /** What the text lost. */
  readonly notes: readonly string[]
}

interface TextContext {
  readonly read: Db
  readonly source: string
  /** Origin of the source, which makes the paths in HTML absolute. */
  readonly origin: string
  readonly reader: AddressReader
  readonly thread: TextThread
}

const usernames = batchStatement<{ name: string; username: string }>(
  { name: 'text' },
  (rows) => `select d.name, u.username from ${rows} d cross join import_map m join users u on u.id = m.local_id
    where m.source = $2 and m.kind = 'names' and m.foreign_id = d.name and u.status not in ('deleted', 'unverified', 'pending')`,
)

/** The present addresses of old ones, as paths. */
const findAddresses = async ({ read, source, reader }: TextContext, addresses: readonly string[]): Promise<Map<string, string>> => {
  const paths = new Map(addresses.map((address) => [address, reader.paths(address)]))
  const rows = await redirectsOf(read, [...new Set([...paths.values()].flat())])
  const targets = new Map(
    rows.flatMap((row) => {
      const target = row.source === source ? newPathOf(row) : null
      return target === null ? [] : [[row.path, target] as const]
    }),
  )
  const found = new Map<string, string>()
  for (const [address, candidates] of paths) {
    const path = candidates.find((one) => targets.has(one))
    if (path !== undefined) found.set(address, targets.get(path) as string)
  }
  return found
}

const pick = <Value>(map: ReadonlyMap<string, Value>, keys: readonly string[]): Record<string, Value> =>
  Object.fromEntries(keys.flatMap((key) => (map.has(key) ? [[key, map.get(key) as Value]] : [])))

const mayRefer = (text: string) => text.includes('@') || text.includes('/')

/**
 * Texts as this community stores them: in Markdown unless they are stored as HTML, with the addresses and usernames of this community, and
 * rendered. Null for a text that cannot be rendered.
 */
export const prepareTexts = async (ctx: TextContext, inputs: readonly TextInput[]): Promise<(PreparedText | null)[]> => {
  const html = inputs.flatMap(({ isHtml, text }, i) => (isHtml && /[<&]/.test(text) ? [i] : []))
  const converted = await ctx.thread.convert(
    html.map((i) => (inputs[i] as TextInput).text),
    ctx.origin,
  )
  const markdown = new Map(html.map((i, n) => [i, converted[n] as (typeof converted)[number]]))
  const texts = inputs.map(({ text }, i) => markdown.get(i)?.text ?? text)
  const references = texts.map((text) => (mayRefer(text) ? findReferences(text, ctx.reader.isOwn) : { addresses: [], names: [] }))
  const addresses = await findAddresses(ctx, [...new Set(references.flatMap((one) => one.addresses))])
  const named = await usernames(ctx.read, [...new Set(references.flatMap(({ names }) => names))], [ctx.source])
  const names = new Map(named.map(({ name, username }) => [name, username]))
  const jobs = inputs.map(({ contentType, most, answers, title }, i): TextJob => {
    const { addresses: own, names: mentioned } = references[i] as (typeof references)[number]
    return { text: texts[i] as string, contentType, most, answers, title, addresses: pick(addresses, own), names: pick(names, mentioned) }
  })
  const written = await ctx.thread.write(jobs)
  return written.map((text, i) => {
    if (text === null) return null
    const notes = [
      ...(markdown.get(i)?.isPlain ? ['its formatting was dropped: the text took too long to convert'] : []),
      ...(text.isCut ? [`its text was cut to ${(inputs[i] as TextInput).most} bytes`] : []),
    ]
    const { addresses: own } = references[i] as (typeof references)[number]
    return { ...text, unresolved: own.some((address) => !addresses.has(address)), notes }
  })
}
