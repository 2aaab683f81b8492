import { emojiOf } from '../emoji.ts'
import { readHtml } from './html-tokens.ts'
import { SHORT_URLS } from './uploads.ts'

/** Allowed attributes by element. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'alt'],
  ol: ['start'],
  code: ['class'],
  td: ['colspan'],
}
/** Elements whose tags are removed; their content is kept. */
const DROPPED = new Set(['aside', 'article', 'section', 'span', 'div', 'details', 'font', 'center', 'header', 'svg-icon'])
/** Elements that are removed with their content. */
const SKIPPED = new Set(['script', 'style', 'svg', 'noscript', 'template', 'object', 'button', 'form'])
const EMPTY = new Set(['img', 'br', 'hr', 'input', 'meta', 'link', 'source', 'wbr', 'track', 'embed', 'use'])
const EMBEDDED = new Set(['iframe', 'video', 'audio'])

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
const attribute = (name: string, value: string | undefined) => (value ? ` ${name}="${escaped(value)}"` : '')
const link = (address: string, text: string) => `<a${attribute('href', address)}>${escaped(text)}</a>`

type Attributes = ReadonlyMap<string, string>

/** The Markdown URL of an upload; null for an external image. */
const uploadAddress = (attributes: Attributes): string | null => {
  const name = attributes.get('data-base62-sha1')
  if (!name || !/^\w+$/.test(name)) return null
  const extension = /\.\w{1,10}(?=$|[?#])/.exec(attributes.get('src') ?? '')?.[0] ?? ''
  return `${SHORT_URLS}${name}${extension}`
}

const classesOf = (attributes: Attributes) => new Set(attributes.get('class')?.split(/\s+/))

/** The attribution of a quote as a paragraph. */
const attribution = (attributes: Attributes): string => {
  const [user, topic, post] = ['data-username', 'data-topic', 'data-post'].map((name) => attributes.get(name))
  if (!user) return ''
  return `<p>@${escaped(user)}${topic && post ? ` ${link(`/t/${topic}/${post}`, '↑')}` : ''}:</p>`
}

/**
 * Simplifies the HTML that Discourse renders: unwraps images, replaces emoji images with characters, and link previews with links, and adds
 * attributions to quotes.
 */
export const plainHtml = (cooked: string): string => {
  const out: string[] = []
  /** The element that is being skipped, and the depth of nested elements with its name. */
  let skipped: { readonly name: string; depth: number } | null = null
  /** URL of the full-size image, inside the link around its thumbnail. */
  let full: string | null = null
  let quoted = ''
  /** Whether the current link is reduced to its text. */
  let bare = false

  const skip = (name: string) => {
    if (!EMPTY.has(name)) skipped = { name, depth: 1 }
  }

  const openLink = (attributes: Attributes, classes: ReadonlySet<string>) => {
    bare = classes.has('mention') || classes.has('mention-group')
    full = classes.has('lightbox') ? (attributes.get('href') ?? null) : null
    if (!bare && full === null) out.push(`<a${attribute('href', attributes.get('href'))}>`)
  }

  const picture = (attributes: Attributes, classes: ReadonlySet<string>) => {
    const name = (attributes.get('title') ?? attributes.get('alt') ?? '').replace(/^:|:$/g, '')
    if (classes.has('emoji')) out.push(escaped(emojiOf(name) ?? `:${name}:`))
    else if (!classes.has('avatar') && !classes.has('site-icon'))
      out.push(
        `<img${attribute('src', uploadAddress(attributes) ?? full ?? attributes.get('src'))}${attribute('alt', attributes.get('alt'))}>`,
      )
  }

  const open = (name: string, attributes: Attributes) => {
    if (skipped) {
      if (name === skipped.name) skipped.depth++
      return
    }
    const classes = classesOf(attributes)
    if (SKIPPED.has(name)) skip(name)
    else if (name === 'a') openLink(attributes, classes)
    else if (name === 'img') picture(attributes, classes)
    else if (EMBEDDED.has(name)) {
      const source = attributes.get('src') ?? ''
      if (source) out.push(`<p>${link(source, source)}</p>`)
      if (name === 'iframe') skip(name)
    } else if (name === 'aside' && classes.has('onebox')) {
      const source = attributes.get('data-onebox-src') ?? ''
      if (source) out.push(`<p>${link(source, source)}</p>`)
      skip(name)
    } else if (name === 'aside' && classes.has('quote')) quoted = attribution(attributes)
    else if (name === 'div' && (classes.has('title') || classes.has('meta') || classes.has('poll'))) skip(name)
    else if (name === 'summary') out.push('<p><strong>')
    else if (!DROPPED.has(name)) {
      out.push(`<${name}${(KEPT[name] ?? []).map((key) => attribute(key, attributes.get(key))).join('')}>`)
      if (name === 'blockquote') {
        out.push(quoted)
        quoted = ''
      }
    }
  }

  const close = (name: string) => {
    if (skipped) {
      if (name === skipped.name && --skipped.depth === 0) skipped = null
      return
    }
    if (name === 'a') {
      if (!bare && full === null) out.push('</a>')
      bare = false
      full = null
    } else if (name === 'summary') out.push('</strong></p>')
    else if (!DROPPED.has(name) && !EMPTY.has(name) && !EMBEDDED.has(name) && !SKIPPED.has(name)) out.push(`</${name}>`)
  }

  readHtml(cooked, {
    open,
    close,
    text: (text) => {
      if (!skipped) out.push(escaped(text))
    },
  })
  return out.join('').trim()
}
