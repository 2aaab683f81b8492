import type { ContentType } from '@lyceum/content'
import { batchStatement } from '../../../../server/src/db/index.ts'
import { type AddressContext, findAddresses } from './find-addresses.ts'
import { findReferences } from './scan.ts'
import type { TextThread } from './text-thread.ts'
import type { TextJob } from './write-text.ts'

type Meta = Readonly<Record<string, unknown>>

export interface TextInput {
  readonly text: string
  /** Whether the text is HTML to convert to Markdown. */
  readonly isHtml: boolean
  readonly contentType: ContentType
  /** Maximum length in bytes. */
  readonly most: number
  readonly answers?: string | undefined
  readonly append?: string | undefined
  readonly title?: string | undefined
  /** Keeps mentions as plain text. */
  readonly withoutMentions?: boolean
  /** Data that contains URLs. */
  readonly meta?: Meta | undefined
}

export interface PreparedText {
  readonly message: string
  readonly html: string
  readonly document: string
  readonly meta: Meta
  /** Keys of source files that the text and the data reference. */
  readonly files: readonly string[]
  /** It contains a source URL whose target is not imported yet. */
  readonly unresolved: boolean
  /** Report notes about lost content. */
  readonly notes: readonly string[]
}

interface TextContext extends AddressContext {
  /** Origin of the source, to make paths in HTML absolute. */
  readonly sourceOrigin: string
  readonly thread: TextThread
}

const usernames = batchStatement<{ name: string; username: string }>(
  { name: 'text' },
  (rows) => `select d.name, u.username from ${rows} d cross join import_map m join users u on u.id = m.local_id
    where m.source = $2 and m.kind = 'names' and m.foreign_id = d.name and u.status not in ('deleted', 'unverified', 'pending')`,
)

const pick = <Value>(keys: readonly string[], find: (key: string) => Value | undefined): Record<string, Value> =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = find(key)
      return value === undefined ? [] : [[key, value]]
    }),
  )

const NOTHING = { addresses: [], names: [] } as const

/** The URLs among the values of an object. */
const addressesIn = (value: unknown, isOwn: (address: string) => boolean): string[] => {
  if (typeof value === 'string') return value.length < 2000 && isOwn(value) ? [value] : []
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap((one) => addressesIn(one, isOwn))
}

const replaceIn = (value: unknown, replace: (address: string) => string): unknown => {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, replace))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceIn(one, replace)]))
}

/**
 * Prepares texts for storage: converts to Markdown unless they are stored as HTML, replaces URLs and usernames with those of this community, and
 * renders them. Null for a text that cannot be rendered.
 */
export const prepareTexts = async (ctx: TextContext, inputs: readonly TextInput[]): Promise<(PreparedText | null)[]> => {
  const { thread, reader } = ctx
  const html = inputs.flatMap(({ isHtml, text }, i) => (isHtml && /[<&]/.test(text) ? [i] : []))
  const converted = await thread.convert(
    html.map((i) => (inputs[i] as TextInput).text),
    ctx.sourceOrigin,
  )
  const markdown = new Map(html.map((i, n) => [i, converted[n] as (typeof converted)[number]]))
  const parts = inputs.map(({ text: given, meta }, i) => {
    const text = markdown.get(i)?.text ?? given
    const { addresses, names } = text.includes('@') || text.includes('/') ? findReferences(text, reader.isOwn) : NOTHING
    return { text, addresses, names, inMeta: meta === undefined ? [] : addressesIn(meta, reader.isOwn) }
  })
  const targets = await findAddresses(ctx, [...new Set(parts.flatMap(({ addresses, inMeta }) => [...addresses, ...inMeta]))])
  const named = await usernames(ctx.read, [...new Set(parts.flatMap(({ names }) => names))], [ctx.source])
  const names = new Map(named.map(({ name, username }) => [name, username]))
  const jobs = inputs.map(({ contentType, most, answers, append, title, withoutMentions }, i): TextJob => {
    const part = parts[i] as (typeof parts)[number]
    const addresses = pick(part.addresses, (address) => targets.get(address))
    const mentioned = withoutMentions ? {} : pick(part.names, (name) => names.get(name))
    return { text: part.text, contentType, most, answers, append, title, addresses, names: mentioned }
  })
  const written = await thread.write(jobs)
  return written.map((text, i) => {
    if (text === null) return null
    const { meta = {}, most } = inputs[i] as TextInput
    const { addresses, inMeta } = parts[i] as (typeof parts)[number]
    const named = [...addresses, ...inMeta]
    return {
      ...text,
      meta: inMeta.length === 0 ? meta : (replaceIn(meta, (one) => targets.get(one)?.absolute ?? one) as Meta),
      files: [...new Set(named.flatMap((address) => targets.get(address)?.file ?? []))],
      unresolved: named.some((address) => !targets.has(address)),
      notes: [
        ...(markdown.get(i)?.isPlain ? ['its formatting was dropped: the text took too long to convert'] : []),
        ...(text.isCut ? [`its text was truncated to ${most} bytes`] : []),
      ],
    }
  })
}
