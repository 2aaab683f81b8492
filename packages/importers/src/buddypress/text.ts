import { Tokenizer } from 'htmlparser2'
import { htmlToText } from '../html-to-text.ts'

/** Returns the name by which texts mention a person; undefined if the person does not exist. */
export type NameOf = (id: number) => string | undefined

interface Token {
  readonly type: 'text' | 'open' | 'close'
  /** Element name in lower case; empty for text. */
  readonly name: string
  readonly raw: string
}

const ignore = () => {}

/** Texts and tags in order, without comments and declarations. Runs in linear time for any markup. */
const tokensOf = (html: string): Token[] => {
  const tokens: Token[] = []
  let start = 0
  let open: string | null = null
  const nameAt = (from: number, to: number) => html.slice(from, to).toLowerCase()
  const closeOpen = (end: number) => {
    if (open !== null) tokens.push({ type: 'open', name: open, raw: html.slice(start, end + 1) })
    open = null
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext: (from, to) => {
        const last = tokens.at(-1)
        const raw = html.slice(from, to)
        if (last?.type === 'text') tokens[tokens.length - 1] = { ...last, raw: last.raw + raw }
        else tokens.push({ type: 'text', name: '', raw })
      },
      onopentagname: (from, to) => {
        start = from - 1
        open = nameAt(from, to)
      },
      onopentagend: closeOpen,
      onselfclosingtag: closeOpen,
      onclosetag: (from, to) => tokens.push({ type: 'close', name: nameAt(from, to), raw: `</${nameAt(from, to)}>` }),
      onattribname: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      ontextentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return tokens
}

const PROFILE_ID = /\bdata-bb-hp-profile=["']?(\d{1,15})|\{\{mention_user_id_(\d{1,15})\}\}/
const MENTION_CLASS = /\bbp-suggestions-mention\b/
const MENTION = /^@[^\s@<>][^\s<>]{0,99}$/

/** The mention that a link represents; null for other links. Newer links reference the person by id, so they survive a rename. */
const mentionOf = (link: string, text: string, nameOf: NameOf): string | null => {
  const [, profile, placeholder] = PROFILE_ID.exec(link) ?? []
  const id = profile ?? placeholder
  const shown = text.trim()
  if (id === undefined && !MENTION_CLASS.test(link) && !(MENTION.test(shown) && link.includes(`/${shown.slice(1)}`))) return null
  if (!MENTION.test(shown)) return null
  const name = id === undefined ? undefined : nameOf(Number(id))
  return name === undefined ? shown : `@${name}`
}

/** Replaces mention links with plain mentions. */
const unlinkMentions = (tokens: readonly Token[], nameOf: NameOf): Token[] => {
  const result: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const [text, end] = [tokens[at + 1], tokens[at + 2]]
    const isLink = token.type === 'open' && token.name === 'a' && text?.type === 'text' && end?.type === 'close' && end.name === 'a'
    const mention = isLink ? mentionOf(token.raw, text.raw, nameOf) : null
    if (mention === null) result.push(token)
    else {
      result.push({ type: 'text', name: '', raw: mention })
      at += 2
    }
  }
  return result
}

const BLOCKS = new Set(
  'address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
const VERBATIM = new Set(['pre', 'script', 'style', 'textarea'])
const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr', 'source', 'embed'])

/** Converts line breaks as WordPress does: an empty line ends a paragraph. */
const linesOf = (tokens: readonly Token[]): string => {
  const hasBlocks = tokens.some(({ name }) => BLOCKS.has(name))
  let depth = 0
  let verbatim = 0
  let html = ''
  for (const [at, { type, name, raw }] of tokens.entries()) {
    if (type === 'text') {
      if (verbatim > 0) html += raw
      else {
        const before = tokens[at - 1]
        const after = tokens[at + 1]
        let text = raw.replaceAll('\r\n', '\n')
        if (!before || BLOCKS.has(before.name) || before.name === 'br') text = text.replace(/^\s+/, '')
        if (!after || BLOCKS.has(after.name)) text = text.trimEnd()
        const paragraph = hasBlocks || depth > 0 ? '<br><br>' : '</p><p>'
        html += text
          .split('\n')
          .map((line, index, lines) => {
            const end = index < lines.length - 1 ? line.trimEnd() : line
            return index > 0 ? end.trimStart() : end
          })
          .join('\n')
          .replace(/\n{2,}/g, paragraph)
          .replaceAll('\n', '<br>')
      }
      continue
    }
    html += raw
    if (VOID.has(name) || raw.endsWith('/>')) continue
    const step = type === 'open' ? 1 : -1
    depth = Math.max(0, depth + step)
    if (VERBATIM.has(name)) verbatim = Math.max(0, verbatim + step)
  }
  return hasBlocks || html === '' ? html : `<p>${html}</p>`
}

/** PHP's stripslashes(), which BuddyPress applies when it displays text. */
export const withoutSlashes = (text: string): string =>
  text.includes('\\') ? text.replace(/\\([\s\S]?)/g, (_, next: string) => (next === '0' ? '' : next)) : text

/** The content of an activity as the HTML that the site displays, with plain mentions. */
export const activityHtml = (content: string, nameOf: NameOf): string => linesOf(unlinkMentions(tokensOf(withoutSlashes(content)), nameOf))

/** Text without markup, entities and slashes. Line breaks are kept. */
export const plainText = (text: string): string => htmlToText(withoutSlashes(text).replace(/\r?\n/g, '<br>')).text
