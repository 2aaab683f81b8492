import { existsSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import type { Section } from './browser/search-options.ts'
import { isFile, isRelative, type Source, targetOf } from './sources.ts'

const REPOSITORY = 'https://github.com/lyceum-community/lyceum'

export interface Heading {
  readonly id: string
  readonly level: number
  readonly text: string
}

export interface Page extends Source {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

export interface Site {
  readonly root: string
  /** The release, such as 0.1.0. */
  readonly release: string
  readonly sources: ReadonlyMap<string, Source>
  /** Files that pages show, such as pictures. */
  readonly assets: Set<string>
  readonly problems: string[]
}

/** HTML is rendered, as on GitHub: the texts come from this repository. */
const markdown = new MarkdownIt({ html: true, linkify: true })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
markdown.renderer.rules['table_open'] = () => '<div class="table"><table>\n'
markdown.renderer.rules['table_close'] = () => '</table></div>\n'
markdown.renderer.rules['heading_close'] = (tokens, index) => {
  const { tag, meta } = tokens[index] as Token
  return ` <a class="anchor" href="#${meta?.['id']}" aria-label="Link to this section">#</a></${tag}>\n`
}

/** The path from one page to another file of the site. */
export const between = (from: string, to: string): string => '../'.repeat(from.split('/').length - 1) + to

/** The address that a link leads to in the site: another page, a picture, or a file of the repository. */
const resolveLink = (site: Site, page: Source, link: string): string => {
  if (!isRelative(link)) return link
  const [path = '', anchor] = link.split('#')
  const target = targetOf(page.path, path)
  const hash = anchor === undefined ? '' : `#${anchor}`
  const source = site.sources.get(target)
  if (source) return between(page.out, source.out) + hash
  const file = isFile(join(site.root, target))
  if (file && target.startsWith('docs/')) {
    site.assets.add(target)
    return between(page.out, target.slice('docs/'.length))
  }
  if (target.startsWith('../') || !existsSync(join(site.root, target))) site.problems.push(`${page.path}: ${link} leads nowhere`)
  return `${REPOSITORY}/${file ? 'blob' : 'tree'}/v${site.release}/${target}${hash}`
}

const textOf = (token: Token): string =>
  (token.children ?? [])
    .map(({ type, content }) => (['text', 'code_inline', 'image'].includes(type) ? content : type.endsWith('break') ? ' ' : ''))
    .join('')

/** Anchors as GitHub makes them. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const rewriteHtml = (site: Site, page: Source, html: string): string =>
  html.replace(/(\s(?:src|href)=")([^"]+)"/g, (_all, before: string, link: string) => `${before}${resolveLink(site, page, link)}"`)

const rewriteLinks = (site: Site, page: Source, tokens: readonly Token[]): void => {
  for (const token of tokens) {
    if (token.type === 'html_block' || token.type === 'html_inline') token.content = rewriteHtml(site, page, token.content)
    for (const name of ['href', 'src']) {
      const link = token.attrGet(name)
      if (link !== null) token.attrSet(name, resolveLink(site, page, String(link)))
    }
    if (token.children) rewriteLinks(site, page, token.children)
  }
}

/** Renders a page, with an anchor for each heading. */
export const renderPage = (site: Site, source: Source): Page => {
  const tokens = markdown.parse(source.text, {})
  rewriteLinks(site, source, tokens)
  const headings: Heading[] = []
  const sections: { heading: Heading; texts: string[] }[] = []
  const seen = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = textOf(tokens[index + 1] as Token)
      const slug = slugOf(text)
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      const heading = { id: count > 0 ? `${slug}-${count}` : slug, level: Number(token.tag.slice(1)), text }
      token.attrSet('id', heading.id)
      ;(tokens[index + 2] as Token).meta = heading
      headings.push(heading)
      sections.push({ heading, texts: [] })
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') sections.at(-1)?.texts.push(textOf(token))
    else if (token.type === 'fence' || token.type === 'code_block') sections.at(-1)?.texts.push(token.content)
  }
  const [first] = headings
  if (first?.level !== 1 || headings.filter(({ level }) => level === 1).length > 1)
    site.problems.push(`${source.path}: a page needs exactly one title, at its beginning`)
  const title = first?.text ?? source.path
  return {
    ...source,
    title,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    sections: sections.map(({ heading: { id, level, text }, texts }) => ({
      id: level === 1 ? source.out : `${source.out}#${id}`,
      title,
      heading: level === 1 ? '' : text,
      text: texts.join(' ').replace(/\s+/g, ' ').trim(),
    })),
  }
}

/** The links of an index by its headings of the second level, in order. */
export const linksOf = ({ path, text }: Source): { title: string; links: { label: string; target: string; hash: string }[] }[] => {
  const groups: ReturnType<typeof linksOf> = []
  const tokens = markdown.parse(text, {})
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag === 'h2') groups.push({ title: textOf(tokens[index + 1] as Token), links: [] })
    const children = token.children ?? []
    for (const [place, child] of children.entries()) {
      const link = child.type === 'link_open' ? String(child.attrGet('href')) : ''
      if (!isRelative(link)) continue
      const [file = '', hash] = link.split('#')
      const end = children.findIndex(({ type }, at) => at > place && type === 'link_close')
      const label = children.slice(place + 1, end).map(({ content }) => content)
      groups.at(-1)?.links.push({ label: label.join(''), target: targetOf(path, file), hash: hash === undefined ? '' : `#${hash}` })
    }
  }
  return groups
}

export const editLinkOf = (path: string): string => `${REPOSITORY}/edit/main/${path}`
