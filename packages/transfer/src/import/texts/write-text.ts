import { type ContentType, ftsDocument, render } from '@lyceum/content'
import { searchText } from '../../../../server/src/modules/feeds/fields.ts'
import { replaceAddresses, replaceMentions } from './scan.ts'

/** Where an address of the source leads. */
export interface NewAddress {
  /** A path of this community; for files, and if the archive of a community had one, an address. */
  readonly address: string
  /** The same with the origin. */
  readonly absolute: string
}

/** A text to store. */
export interface TextJob {
  readonly text: string
  readonly contentType: ContentType
  /** Maximum length in bytes. */
  readonly most: number
  /** The username of the member whom a reply answers, if the reply does not follow theirs directly. */
  readonly answers?: string | undefined
  /** Markdown to add at the end. */
  readonly append?: string | undefined
  /** The title of a feed, whose words are searched together with the text. */
  readonly title?: string | undefined
  /** New addresses by old ones. */
  readonly addresses: Readonly<Record<string, NewAddress>>
  /** Usernames by the names at the source, in lower case. */
  readonly names: Readonly<Record<string, string>>
}

export interface WrittenText {
  readonly message: string
  readonly html: string
  /** See `ftsDocument`; empty without a title. */
  readonly document: string
  readonly isCut: boolean
}

/** A link whose text is the mention of the member that it leads to. */
const MENTION_LINK = /\[@[^[\]\n]{1,100}\]\(\/u\/([a-z0-9_-]{3,30})\)/g

/** Syntax at the beginning of a text that a word in front of it would change. */
const STARTS_BLOCK = /^(?:[#>|]|[-*+] |\d{1,9}[.)] |```|~~~| {4}|\t)/

const own = <Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined

const naming = (username: string, text: string): string => {
  const mention = `@${username}`
  const start = text.slice(0, mention.length + 1).toLowerCase()
  if (start.startsWith(mention) && !/[a-z0-9_-]/.test(start.charAt(mention.length))) return text
  return text === '' ? mention : STARTS_BLOCK.test(text) ? `${mention}\n\n${text}` : `${mention} ${text}`
}

/** The longest beginning of a text with so many bytes, without a broken character. */
const cutTo = (text: string, most: number): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  const mark = ' …'
  let end = most - Buffer.byteLength(mark)
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString() + mark
}

/** The text as it is stored, with the addresses and usernames of this community, and its HTML. */
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
