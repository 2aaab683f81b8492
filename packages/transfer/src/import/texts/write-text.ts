import { type ContentType, ftsDocument, render } from '@lyceum/content'
import { searchText } from '../../../../server/src/modules/feeds/fields.ts'
import { replaceAddresses, replaceMentions } from './scan.ts'

/** Replacement of a source URL. */
export interface NewAddress {
  /** A path of this community; an absolute URL for files, and if a Lyceum archive contains one. */
  readonly address: string
  /** The absolute URL. */
  readonly absolute: string
}

/** A text to store. */
export interface TextJob {
  readonly text: string
  readonly contentType: ContentType
  /** Maximum length in bytes. */
  readonly most: number
  /** Username of the parent's author, if the reply is not directly below that comment. */
  readonly answers?: string | undefined
  /** Markdown to add at the end. */
  readonly append?: string | undefined
  /** Title of a feed, which is indexed with the text. */
  readonly title?: string | undefined
  /** Replacements by source URL. */
  readonly addresses: Readonly<Record<string, NewAddress>>
  /** Usernames by lowercase source name. */
  readonly names: Readonly<Record<string, string>>
}

export interface WrittenText {
  readonly message: string
  readonly html: string
  /** See `ftsDocument`; empty without a title. */
  readonly document: string
  readonly isCut: boolean
}

/** A profile link whose text is the member's mention. */
const MENTION_LINK = /\[@[^[\]\n]{1,100}\]\(\/u\/([a-z0-9_-]{3,30})\)/g

/** Block syntax at the start of a text. A mention in front would break it. */
const STARTS_BLOCK = /^(?:[#>|]|[-*+] |\d{1,9}[.)] |```|~~~| {4}|\t)/

const own = <Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

const naming = (username: string, text: string): string => {
  const mention = `@${username}`
  const start = text.slice(0, mention.length + 1).toLowerCase()
  if (start.startsWith(mention) && !/[a-z0-9_-]/.test(start.charAt(mention.length))) return text
  return text === '' ? mention : STARTS_BLOCK.test(text) ? `${mention}\n\n${text}` : `${mention} ${text}`
}

/** Truncates a text to at most `most` bytes without splitting a character. */
const cutTo = (text: string, most: number): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  const mark = ' …'
  let end = most - Buffer.byteLength(mark)
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString() + mark
}

/** The stored text, with URLs and usernames of this community, and its HTML. */
export const writeText = ({ text, contentType, most, answers, append = '', title, addresses, names }: TextJob): WrittenText => {
  const moved = replaceAddresses(text, (address, isBare) => {
    const found = own(addresses, address)
    return found === undefined ? address : isBare ? found.absolute : found.address
  }).replace(MENTION_LINK, '@$1')
  const renamed = replaceMentions(moved, (name) => own(names, name))
  const whole = (answers === undefined ? renamed : naming(answers, renamed)) + append
  const message = cutTo(whole, most)
  const mentions = new Set(Object.values(names))
  if (answers !== undefined) mentions.add(answers)
  const html = render(message, contentType, { mentions })
  const document = title === undefined ? '' : ftsDocument(searchText({ title, message_rendered: html }))
  return { message, html, document, isCut: message.length < whole.length }
}
