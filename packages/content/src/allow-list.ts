import { MENTION_HREF } from './mention-syntax.ts'
import { isHttpUrl, isLinkUrl, isSitePath } from './url.ts'

/** Handles an attribute: returns its value, perhaps changed, or null to remove it. */
type AttributeRule = (value: string, context: { origin: string; attributes: ReadonlyMap<string, string> }) => string | null

/**
 * One allowed element.
 * - `flow`: block ends an open paragraph; void has no end tag.
 * - `inside`: the only allowed parents.
 * - `required`: without this attribute the tag is dropped and its content stays.
 * - `always`: attributes that are added to every tag of this element.
 */
export type ElementRule = {
  flow: 'block' | 'inline'
  void?: true
  inside?: readonly string[]
  attributes?: Readonly<Record<string, AttributeRule>>
  required?: string
  always?: string
}

export const LINK_REL = 'nofollow noopener ugc'

const text: AttributeRule = (value) => value || null
const matching =
  (pattern: RegExp): AttributeRule =>
  (value) =>
    pattern.test(value) ? value : null

const CELL_PARENT = ['tr'] as const
const ROW_PARENTS = ['table', 'thead', 'tbody', 'tfoot'] as const
/** The cost of the layout of a table depends on the cells that it spans, not on the length of its text. */
const SPAN = matching(/^(?:[1-9]|1\d|20)$/)
const PIXELS = matching(/^[1-9]\d{0,3}$/)

const linkHref: AttributeRule = (value, { origin, attributes }) => {
  if (attributes.get('class') === 'mention' && MENTION_HREF.test(value)) return value
  if (isSitePath(value)) return origin + value
  return isLinkUrl(value) ? value : null
}

const linkClass: AttributeRule = (value, { attributes }) =>
  value === 'mention' && MENTION_HREF.test(attributes.get('href') ?? '') ? value : null

const imageSource: AttributeRule = (value, { origin }) => {
  const url = origin && isSitePath(value) ? origin + value : value
  return isHttpUrl(url) ? url : null
}

const cell: ElementRule = {
  flow: 'block',
  inside: CELL_PARENT,
  attributes: { align: matching(/^(?:left|center|right)$/), colspan: SPAN, rowspan: SPAN },
}
const block: ElementRule = { flow: 'block' }
const inline: ElementRule = { flow: 'inline' }

function each(names: string, rule: ElementRule): [string, ElementRule][] {
  return names.split(' ').map((name) => [name, rule])
}

/** All elements and attributes of rendered content. Attributes are written in this order. */
export const ALLOWED: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  ...each('p h1 h2 h3 h4 h5 h6 blockquote pre div figure figcaption details summary ul dl table', block),
  ...each('strong em b i u s del ins sub sup mark small kbd samp var q cite span', inline),
  ['hr', { flow: 'block', void: true }],
  ['br', { flow: 'inline', void: true }],
  ['ol', { flow: 'block', attributes: { start: matching(/^\d{1,9}$/) } }],
  ['li', { flow: 'block', inside: ['ul', 'ol'] }],
  ...each('dt dd', { flow: 'block', inside: ['dl'] }),
  ...each('caption thead tbody tfoot', { flow: 'block', inside: ['table'] }),
  ['tr', { flow: 'block', inside: ROW_PARENTS }],
  ...each('th td', cell),
  ['code', { flow: 'inline', attributes: { class: matching(/^language-[A-Za-z0-9_+#.-]{1,40}$/) } }],
  ['abbr', { flow: 'inline', attributes: { title: text } }],
  [
    'a',
    {
      flow: 'inline',
      required: 'href',
      attributes: { class: linkClass, href: linkHref, title: text },
      always: ` rel="${LINK_REL}"`,
    },
  ],
  [
    'img',
    {
      flow: 'inline',
      void: true,
      required: 'src',
      attributes: { src: imageSource, alt: (value) => value, title: text, width: PIXELS, height: PIXELS },
    },
  ],
])

/** Elements whose content is not text; they are removed with their content. */
export const WITHOUT_TEXT = (
  'script style textarea option select xmp noscript noembed noframes plaintext title head iframe svg math template object applet ' +
  'audio video canvas'
).split(' ')

/** Elements that become a plain block, so that adjacent ones stay on separate lines. */
export const BLOCK_ALIASES = 'section article main header footer nav aside address center fieldset form dialog hgroup'.split(' ')
