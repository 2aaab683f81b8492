import MarkdownIt, { type Env, type StateBlock, type StateInline, type Token } from 'markdown-it'
import { mentionAt, mentionHref } from './mention-syntax.ts'
import { isLinkUrl, isSitePath } from './url.ts'

/** Eleven nested lists or twenty-three nested quotes; deeper content is dropped. */
const MAX_NESTING = 24
const MAX_TABLE_COLUMNS = 64
/** Maximum number of table cells per text. markdown-it pads short rows, so a short text could produce very many cells. */
const MAX_TABLE_CELLS = 2_500
/** Maximum number of bare URLs and of mentions that become links; further ones stay text. */
const MAX_AUTOLINKS = 100
export const MAX_MENTION_LINKS = 100

type MarkdownEnv = {
  /** Whether the username exists; other mentions stay text. */
  mentions: (username: string) => boolean
  origin?: string
  /** Preserves line breaks inside a paragraph. */
  breaks?: boolean
}

type State = { tableCells?: number; mentionsLeft?: number }

const markdown = new MarkdownIt({ html: false, linkify: true, xhtmlOut: true, maxNesting: MAX_NESTING })

markdown.validateLink = (url) => isLinkUrl(url) || isSitePath(url)

const normalizeLink = markdown.normalizeLink.bind(markdown)
markdown.normalizeLink = (url) => (/[\s\p{Cc}\p{Cf}\p{Cs}\\]/u.test(url) ? '' : normalizeLink(url))

markdown.linkify.add('ftp:', null)
markdown.linkify.add('//', null)
markdown.linkify.add('www.', {
  validate(text, pos, self) {
    const host = self.re.get_relative_proto_validator()
    host.lastIndex = pos
    return host.exec(text)?.[0].length ?? 0
  },
  normalize(match) {
    match.url = `http://${match.url}`
  },
})

markdown.inline.ruler.before('emphasis', 'mention', (state: StateInline, silent: boolean): boolean => {
  if (state.src.charCodeAt(state.pos) !== 0x40 || state.linkLevel > 0) return false
  const env = state.env as Partial<MarkdownEnv> & State
  const { mentions, origin = '', mentionsLeft = MAX_MENTION_LINKS } = env
  if (mentionsLeft <= 0) return false
  const names = mentions ? mentionAt(state.src, state.pos) : []
  const username = names.find((name) => mentions?.(name))
  if (!username) return false
  if (!silent) {
    env.mentionsLeft = mentionsLeft - 1
    const link = state.push('link_open', 'a', 1)
    link.attrs = [
      ['class', 'mention'],
      ['href', mentionHref(username, origin)],
    ]
    link.markup = 'mention'
    link.meta = { names }
    state.push('text', '', 0).content = `@${username}`
    state.push('link_close', 'a', -1)
  }
  state.pos += username.length + 1
  return true
})

const AUTOLINKS = new Set(['linkify', 'autolink'])

/** Unlinks bare URLs beyond MAX_AUTOLINKS. Links do not nest, so a closing token belongs to the last opening one. */
markdown.core.ruler.after('linkify', 'cap_autolinks', ({ tokens }) => {
  let found = 0
  let dropping = false
  const stays = ({ type, markup }: Token): boolean => {
    if (type === 'link_open') dropping = AUTOLINKS.has(markup) && ++found > MAX_AUTOLINKS
    return !dropping || (type !== 'link_open' && type !== 'link_close')
  }
  for (const token of tokens) if (token.children) token.children = token.children.filter(stays)
})

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean
const table = markdown.block.ruler.__rules__.find((rule) => rule.name === 'table')?.fn as BlockRule

/** The table rule of markdown-it with a limit on the number of cells in the whole text. */
function boundedTable(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const header = state.src.slice(state.bMarks[startLine], state.eMarks[startLine])
  const columns = header.split('|', MAX_TABLE_COLUMNS + 2).length
  if (columns === 1 || columns > MAX_TABLE_COLUMNS + 1) return false
  const env = state.env as State
  const left = env.tableCells ?? MAX_TABLE_CELLS
  const rows = Math.floor(left / columns)
  if (!table(state, startLine, Math.min(endLine, startLine + 2 + rows), silent)) return false
  if (!silent) env.tableCells = left - (state.line - startLine) * columns
  return true
}
markdown.block.ruler.at('table', boundedTable, { alt: ['paragraph', 'reference'] })

function alignedCell(tokens: Token[], index: number): void {
  const token = tokens[index]!
  const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
  token.attrs = align ? [['align', align]] : null
}
for (const name of ['th_open', 'td_open']) {
  markdown.renderer.rules[name] = (tokens, index, options, _env, renderer) => {
    alignedCell(tokens, index)
    return renderer.renderToken(tokens, index, options)
  }
}

markdown.renderer.rules.softbreak = (_tokens, _index, _options, env) => ((env as Partial<MarkdownEnv>).breaks ? '<br />\n' : '\n')

/** Unfiltered output of markdown-it. It must pass through `enforce` before it is shown. */
export function markdownToHtml(source: string, env: MarkdownEnv): string {
  return markdown.render(source, { ...env } satisfies Env)
}

/** The mentions in a Markdown text; each is a list of the usernames that it may refer to. */
export function markdownMentions(source: string): string[][] {
  const found: string[][] = []
  for (const { children } of markdown.parse(source, { mentions: () => true, mentionsLeft: source.length } satisfies MarkdownEnv & State)) {
    for (const token of children ?? []) {
      if (token.markup === 'mention' && token.nesting === 1) found.push(token.meta?.names as string[])
    }
  }
  return found
}
