import type { Entry, Part } from './navigation.ts'
import { between, editLinkOf, type Page } from './render.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

/** Applies the chosen theme before anything is painted. */
const THEME = `document.documentElement.classList.add('js');try{document.documentElement.style.colorScheme=localStorage.getItem('theme')||''}catch{}`

const link = (page: Page, { label, href }: Entry, attributes = ''): string =>
  `<a href="${between(page.out, href)}"${href === page.out ? ' aria-current="page"' : ''}${attributes}>${escapeHtml(label)}</a>`

const sidebar = (page: Page, parts: readonly Part[]): string =>
  parts
    .map(({ title, href, groups }) => {
      const heading = href === null ? escapeHtml(title) : link(page, { label: title, href })
      const lists = groups.map(({ title: name, entries }) => {
        const items = entries.map((entry) => `<li>${link(page, entry)}</li>`).join('')
        return `${name ? `<h3>${escapeHtml(name)}</h3>` : ''}<ul>${items}</ul>`
      })
      return `<section><h2>${heading}</h2>${lists.join('')}</section>`
    })
    .join('\n')

const contents = ({ headings }: Page): string => {
  const items = headings.filter(({ level }) => level === 2 || level === 3)
  if (items.length < 2) return ''
  const rows = items.map(({ id, level, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${rows.join('')}</ul></nav>`
}

/** Links to the page before and the page after. */
const neighbors = (page: Page, order: readonly Entry[]): string => {
  const place = order.findIndex(({ href }) => href === page.out)
  const [before, after] = [order[place - 1], order[place + 1]]
  if (place < 0) return ''
  return `<nav class="neighbors" aria-label="Pages">${before ? link(page, before, ' rel="prev"') : '<span></span>'}${after ? link(page, after, ' rel="next"') : ''}</nav>`
}

/** A page of the site. All links are relative: the site works in any folder. */
export const layout = (page: Page, version: string, parts: readonly Part[], order: readonly Entry[]): string => {
  const base = between(page.out, '')
  return `<!doctype html>
<html lang="en" data-base="${base || './'}" data-page="${page.out}" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} – Lyceum ${version}</title>
<meta name="color-scheme" content="light dark">
<script>${THEME}</script>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}assets/site.css">
<script type="module" src="${base}assets/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="menu" aria-controls="navigation" aria-expanded="false">Menu</button>
<a class="home" href="${base}index.html">Lyceum <span>docs</span></a>
<button type="button" class="search" aria-keyshortcuts="/">Search <kbd>/</kbd></button>
<select class="versions" aria-label="Version" disabled><option>${version}</option></select>
<button type="button" class="theme" aria-label="Switch between light and dark">◐</button>
</header>
<div class="columns">
<nav class="navigation" id="navigation" aria-label="Documentation">
${sidebar(page, parts)}
</nav>
<main id="content" tabindex="-1">
<p class="outdated" hidden></p>
<article>
${page.html}</article>
${neighbors(page, order)}
<footer><a href="${editLinkOf(page.path)}">Edit this page</a></footer>
</main>
${contents(page)}
</div>
<dialog class="results" aria-label="Search">
<form method="dialog"><input type="search" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false"><button>Close</button></form>
<p role="status"></p>
<ol></ol>
</dialog>
</body>
</html>
`
}
