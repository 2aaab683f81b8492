import { ADDRESSES, inHtml, inMarkdown } from './address-families.ts'
import { clobbering, frames, handlers, scripts } from './html-families.ts'
import { comments, foreign, mutations, polyglots, templates, unicode } from './markup-families.ts'
import { breakouts, dangling, json, markdown, styles } from './text-families.ts'

/** A text that would run something where it is not handled as it must be. What it runs says its number. */
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

/** Each once, numbered from 100 so that numbers are not taken for others. */
export const PAYLOADS: readonly Payload[] = [
  ...new Map(Object.entries(FAMILIES).flatMap(([family, texts]) => texts.map((text) => [text, family] as const))),
].map(([text, family], i) => ({ number: i + 100, family, text: text.replaceAll('alert(1)', `alert(${i + 100})`) }))

export const FAMILY_NAMES = Object.keys(FAMILIES)

/** So many of each family at least, spread over it, others with each further; all of them in the end. */
export const somePayloads = (count: number): readonly Payload[] => {
  if (count >= PAYLOADS.length) return PAYLOADS
  const share = Math.max(1, Math.floor(count / FAMILY_NAMES.length))
  return FAMILY_NAMES.flatMap((name) => {
    const own = PAYLOADS.filter(({ family }) => family === name)
    const step = own.length / Math.min(own.length, share)
    return Array.from({ length: Math.min(own.length, share) }, (_, i) => own[Math.floor(i * step)] as Payload)
  })
}

/** Whose number stands in what ran. */
export const payloadOf = (number: number): Payload | undefined => PAYLOADS[number - 100]
