import { ADDRESSES, inHtml, inMarkdown } from './address-families.ts'
import { clobbering, frames, handlers, scripts } from './html-families.ts'
import { comments, foreign, mutations, polyglots, templates, unicode } from './markup-families.ts'
import { mixed } from './mixed-families.ts'
import { breakouts, dangling, json, markdown, styles } from './text-families.ts'

/** A text that runs script if it is handled incorrectly. The script reports the payload's number. */
export interface Payload {
  readonly number: number
  readonly family: string
  readonly text: string
}

const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  scripts,
  handlers,
  addresses: ADDRESSES,
  inHtml,
  inMarkdown,
  foreign,
  mutations,
  mixed,
  markdown,
  styles,
  frames,
  dangling,
  clobbering,
  templates,
  polyglots,
  unicode,
  comments,
  breakouts,
  json,
}

/** Without duplicates, numbered from 100 so that other numbers are not mistaken for payloads. */
export const PAYLOADS: readonly Payload[] = [
  ...new Map(Object.entries(FAMILIES).flatMap(([family, texts]) => texts.map((text) => [text, family] as const))),
].map(([text, family], i) => ({ number: i + 100, family, text: text.replaceAll('alert(1)', `alert(${i + 100})`) }))

export const FAMILY_NAMES = Object.keys(FAMILIES)

/** At least this many, spread over each family; larger counts add others, and finally all. */
export const somePayloads = (count: number): readonly Payload[] => {
  if (count >= PAYLOADS.length) return PAYLOADS
  const share = Math.max(1, Math.floor(count / FAMILY_NAMES.length))
  return FAMILY_NAMES.flatMap((name) => {
    const own = PAYLOADS.filter(({ family }) => family === name)
    const step = own.length / Math.min(own.length, share)
    return Array.from({ length: Math.min(own.length, share) }, (_, i) => own[Math.floor(i * step)] as Payload)
  })
}

/** The payload whose number the script reported. */
export const payloadOf = (number: number): Payload | undefined => PAYLOADS[number - 100]
