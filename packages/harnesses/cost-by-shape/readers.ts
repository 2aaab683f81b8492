import {
  type ContentType,
  cssProblem,
  excerpt,
  ftsDocument,
  GROWTH_ALLOWANCE,
  isLinkUrl,
  isSafeSvg,
  MAX_GROWTH,
  mentionedUsernames,
  plainText,
  queryTokens,
  render,
  sanitize,
  slugify,
  slugSource,
} from '@lyceum/content'
import {
  altTexts,
  compileWords,
  countExternal,
  findBlockedDomain,
  firstWord,
  spamPoints,
  urlsIn,
  visibleText,
} from '@lyceum/content/automod'
import { COURSE_CONTENT_BYTES, LESSON_CONTENT_BYTES, MESSAGE_BYTES } from '@lyceum/contract'
import { layout } from '@lyceum/mail/layout'
import { isMailAddress } from '@lyceum/mail/transport'
import { readGift } from '../../importers/src/gift/read-gift.ts'
import { htmlToText } from '../../importers/src/html-to-text.ts'
import { readPage as readFrontMatter } from '../../importers/src/markdown/front-matter.ts'
import { readQti } from '../../importers/src/qti/read-qti.ts'
import { createReport } from '../../importers/src/report.ts'
import { normalizeLogin, readBasic } from '../../server/src/auth/authenticate.ts'
import { readCookie } from '../../server/src/http/requests/cookies.ts'
import { idempotentRequest } from '../../server/src/http/requests/idempotency.ts'
import { parseJsonBody } from '../../server/src/http/requests/json-body.ts'
import { encodingFor } from '../../server/src/http/responses/compression.ts'
import { csvField, wantsCsv } from '../../server/src/http/responses/csv.ts'
import { namesTag } from '../../server/src/http/responses/send-response.ts'
import { rewriteMalformed } from '../../server/src/http/server.ts'
import { newEmail, newUsername } from '../../server/src/modules/accounts/validation.ts'
import { readCursor } from '../../server/src/modules/feeds/list/queries.ts'
import { parseResponse, readPage as readGifs, statusIn } from '../../server/src/modules/gif/parse-response.ts'
import { pictureTypeOf } from '../../server/src/modules/media/picture-type.ts'
import { describePage, parseDescription } from '../../server/src/modules/media/previews/fetch.ts'
import { decodePage, readPage } from '../../server/src/modules/media/previews/html-metadata.ts'
import { readRange } from '../../server/src/modules/media/serve.ts'
import { safeName } from '../../server/src/modules/media/types.ts'
import { MAX_INLINE_LENGTH } from '../../server/src/modules/members/text-thread.ts'
import { readUnsubscribeToken } from '../../server/src/modules/notifications/delivery/unsubscribe-token.ts'
import type { Reader } from './measure.ts'
import { CSS_SHAPES, HEADER_SHAPES, HTML_SHAPES, JSON_SHAPES, MARKDOWN_SHAPES, TEXT_SHAPES } from './shapes.ts'

/** Size limits of bodies, request headers and responses of other servers. */
const BODY = 256 * 1024
const HEAD = 16 * 1024
const ANSWER = 1024 * 1024
/** A course page, imported by a command, which serves nobody meanwhile. */
const COURSE_FILE = 32 * 1024

const LONGEST_MESSAGE = { most: MESSAGE_BYTES }
/** Longer messages are rendered on another thread. */
const LONGEST_INLINE = { most: MAX_INLINE_LENGTH }
const RENDERED = MESSAGE_BYTES * MAX_GROWTH + GROWTH_ALLOWANCE
const KEY = Buffer.alloc(32)
const ALL_HTML = [...HTML_SHAPES, ...TEXT_SHAPES]
const ALL_MARKDOWN = [...MARKDOWN_SHAPES, ...HTML_SHAPES, ...TEXT_SHAPES]

const message = (type: ContentType) => (text: string) => render(text, type, { mentions: { has: () => true } })

const WORDS = compileWords(['viagra', 'casino', 'free money', '赌博', 'カジノ', '도박', 'c++', '$$$', 'aaaa', 'f.o.o'])
const DOMAINS = new Set(['spam.example', 'b.c'])

const screened = (html: string) => {
  const text = [visibleText(html), ...altTexts(html)].join('\n')
  const addresses = urlsIn(html, [html])
  return [
    WORDS.find(text),
    findBlockedDomain(text, addresses, DOMAINS),
    countExternal(addresses, 'example.org'),
    spamPoints({ text, links: addresses.length, earlier: [], recentCount: 0, newcomer: true }),
    firstWord(html),
  ]
}

const gifs = (text: string) => {
  const answer = parseResponse(text)
  return [statusIn(answer), readGifs(answer, { limit: 50, offset: 0, rating: 'g' })]
}

const jsonBody = (text: string) => {
  const body = parseJsonBody(Buffer.from(text))
  return idempotentRequest('k', { scope: 's', method: 'POST', path: '/', body, secret: false }, KEY)
}

/** Every parser of untrusted text. The input of an HTML parser may be the output of the one before. */
export const READERS: readonly Reader[] = [
  {
    name: 'page of a preview',
    most: ANSWER,
    shapes: ALL_HTML,
    read: (text) => readPage(decodePage(Buffer.from(text), text.slice(0, 999))),
  },
  {
    name: 'preview of a page',
    most: ANSWER,
    shapes: TEXT_SHAPES,
    read: (text) => describePage('https://a.example/', { meta: new Map([['og:title', text]]), title: text, oembed: '', base: text }, {}),
  },
  {
    name: 'oEmbed',
    most: 64 * 1024,
    shapes: JSON_SHAPES,
    read: (text) => describePage('https://a.example/', readPage(''), parseDescription(text)),
  },
  { name: 'picture of another site', most: ANSWER, shapes: TEXT_SHAPES, read: (text) => pictureTypeOf(Buffer.from(text)) },
  { name: 'message: text', ...LONGEST_INLINE, shapes: ALL_MARKDOWN, read: message('text') },
  { name: 'message: markdown', onlyLong: true, ...LONGEST_INLINE, shapes: ALL_MARKDOWN, read: message('markdown') },
  { name: 'message: html', ...LONGEST_INLINE, shapes: ALL_HTML, read: message('html') },
  { name: 'mentions: text', ...LONGEST_INLINE, shapes: ALL_MARKDOWN, read: (text) => mentionedUsernames(text, 'text') },
  { name: 'mentions: html', ...LONGEST_INLINE, shapes: ALL_HTML, read: (text) => mentionedUsernames(text, 'html') },
  { name: 'course content', onlyLong: true, most: COURSE_CONTENT_BYTES, shapes: ALL_HTML, read: (text) => render(text, 'html') },
  { name: 'lesson content', most: LESSON_CONTENT_BYTES, shapes: ALL_HTML, read: (text) => render(text, 'html') },
  { name: 'own HTML', most: RENDERED, shapes: ALL_HTML, read: sanitize },
  { name: 'plain text', most: RENDERED, shapes: ALL_HTML, read: (text) => excerpt(plainText(text)) },
  {
    name: 'plain text of a rendered message',
    ...LONGEST_MESSAGE,
    shapes: ALL_HTML,
    prepare: (text) => render(text, 'html'),
    read: plainText,
  },
  { name: 'search index', ...LONGEST_MESSAGE, shapes: TEXT_SHAPES, read: ftsDocument },
  { name: 'search query', most: HEAD, shapes: TEXT_SHAPES, read: queryTokens },
  { name: 'slug', most: BODY, shapes: ALL_MARKDOWN, read: (text) => [slugify(text), slugify(slugSource('', text))] },
  { name: 'screening: text', ...LONGEST_MESSAGE, shapes: ALL_MARKDOWN, prepare: (text) => render(text, 'text'), read: screened },
  { name: 'screening: html', ...LONGEST_MESSAGE, shapes: ALL_HTML, prepare: (text) => render(text, 'html'), read: screened },
  { name: 'drawing', most: 16_000, shapes: ALL_HTML, read: isSafeSvg },
  { name: 'style sheet', most: 150_000, shapes: [...CSS_SHAPES, ...TEXT_SHAPES], read: cssProblem },
  { name: 'JSON body', most: BODY, shapes: JSON_SHAPES, read: jsonBody },
  { name: 'text of a JSON body', most: BODY, shapes: TEXT_SHAPES, read: (text) => jsonBody(JSON.stringify({ text })) },
  {
    name: 'answer of a GIF provider',
    most: ANSWER,
    shapes: JSON_SHAPES,
    read: gifs,
  },
  {
    name: 'GIFs of a provider',
    most: ANSWER / 8,
    shapes: ALL_HTML,
    prepare: (text) => {
      const gif = { id: text, title: text, url: 'https://a.example', images: { original: { url: text, width: text, height: 1 } } }
      return JSON.stringify({ data: [gif], meta: { msg: text } }).slice(0, ANSWER)
    },
    read: gifs,
  },
  {
    name: 'address',
    most: HEAD,
    shapes: [...HEADER_SHAPES, ...TEXT_SHAPES],
    read: (text) => [isLinkUrl(text), isLinkUrl(`https://${text}`), rewriteMalformed(['/api'])({ url: `/${text}` })],
  },
  {
    name: 'headers',
    most: HEAD,
    shapes: HEADER_SHAPES,
    read: (text) => [
      readCookie(text, 'session'),
      encodingFor(text, 10_000),
      namesTag(text, '"x"'),
      wantsCsv({}, `text/csv,${text}`),
      readRange(text, 1000),
      readBasic(text),
    ],
  },
  { name: 'sign-in name', most: BODY, shapes: TEXT_SHAPES, read: normalizeLogin },
  { name: 'username', most: BODY, shapes: TEXT_SHAPES, read: (text) => newUsername(text, false) },
  { name: 'mail address', most: BODY, shapes: TEXT_SHAPES, read: (text) => [isMailAddress(text), newEmail(text)] },
  {
    name: 'cursor',
    most: HEAD,
    shapes: [...JSON_SHAPES, ...HEADER_SHAPES],
    read: (text) => readCursor(Buffer.from(text).toString('base64url'), 'new', ['string']),
  },
  { name: 'unsubscribe token', most: HEAD, shapes: HEADER_SHAPES, read: (text) => readUnsubscribeToken(KEY, text) },
  { name: 'name of a file', most: HEAD, shapes: [...HEADER_SHAPES, ...TEXT_SHAPES], read: (text) => safeName(text, 'image/png') },
  { name: 'CSV', most: BODY, shapes: TEXT_SHAPES, read: csvField },
  { name: 'mail', most: 4000, shapes: ALL_HTML, read: (text) => layout({ title: text, paragraphs: [text], footer: text }) },
  {
    name: 'GIFT',
    most: COURSE_FILE,
    shapes: [...MARKDOWN_SHAPES, ...TEXT_SHAPES],
    read: (text) => readGift('x.gift', text, createReport()),
  },
  {
    name: 'GIFT answers',
    most: COURSE_FILE,
    shapes: ALL_MARKDOWN,
    read: (text) => readGift('x.gift', `q {${text.replaceAll('\n', ' ')}}`, createReport()),
  },
  { name: 'QTI', most: COURSE_FILE, shapes: ALL_HTML, read: (text) => readQti('x.xml', text, createReport()) },
  { name: 'text of a question', most: COURSE_FILE, shapes: ALL_HTML, read: htmlToText },
  {
    name: 'front matter',
    most: 4 * 1024,
    onlyLong: true,
    shapes: [...MARKDOWN_SHAPES, ...JSON_SHAPES],
    read: (text) => readFrontMatter('x.md', `---\n${text}\n---\n`, createReport()),
  },
]
