import MiniSearch, { type SearchResult } from 'minisearch'
import { SEARCH_OPTIONS, type Section } from './search-options.ts'

const MOST_RESULTS = 30
const BEFORE_MATCH = 50
const EXCERPT = 180

const base = document.documentElement.dataset['base'] ?? './'

const loadIndex = async (): Promise<MiniSearch<Section>> => {
  const response = await fetch(`${base}assets/search.json`)
  if (!response.ok) throw new Error(`the index could not be loaded (${response.status})`)
  const index = new MiniSearch<Section>(SEARCH_OPTIONS)
  index.addAll((await response.json()) as Section[])
  return index
}

/** A text with its matches marked. */
const marked = (text: string, terms: readonly string[]): Node[] => {
  const escaped = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).sort((a, b) => b.length - a.length)
  if (escaped.length === 0) return [new Text(text)]
  return text.split(new RegExp(`(${escaped.join('|')})`, 'gi')).map((part, place) => {
    if (place % 2 === 0) return new Text(part)
    return Object.assign(document.createElement('mark'), { textContent: part })
  })
}

/** The part of a text around its first match. */
const excerptOf = (text: string, terms: readonly string[]): string => {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const start = Math.max(0, (places.length > 0 ? Math.min(...places) : 0) - BEFORE_MATCH)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + EXCERPT)}${text.length > from + EXCERPT ? ' …' : ''}`
}

const element = (name: string, ...children: readonly (Node | string)[]): HTMLElement => {
  const made = document.createElement(name)
  made.append(...children)
  return made
}

const itemOf = ({ id, title, heading, text, terms }: SearchResult & Partial<Section>): HTMLElement => {
  const link = document.createElement('a')
  link.href = base + id
  link.className = 'result'
  link.append(
    element('strong', ...marked(heading ? `${title} › ${heading}` : String(title), terms)),
    element('span', ...marked(excerptOf(text ?? '', terms), terms)),
  )
  return element('li', link)
}

/** The dialog of the search: `/` opens it, the arrow keys move through the results. */
export const startSearch = (): void => {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.results')
  const input = dialog?.querySelector('input')
  const list = dialog?.querySelector('ol')
  const status = dialog?.querySelector('[role=status]')
  if (!dialog || !input || !list || !status) return
  let index: Promise<MiniSearch<Section>> | null = null

  const search = async (): Promise<void> => {
    const query = input.value.trim()
    try {
      index ??= loadIndex()
      const found = query ? (await index).search(query) : []
      // The query has changed since.
      if (query !== input.value.trim()) return
      list.replaceChildren(...found.slice(0, MOST_RESULTS).map(itemOf))
      status.textContent = query ? `${found.length} ${found.length === 1 ? 'result' : 'results'}` : ''
    } catch (error) {
      index = null
      status.textContent = `Search does not work: ${error instanceof Error ? error.message : error}`
    }
  }

  const open = (): void => {
    dialog.showModal()
    input.select()
    void search()
  }

  const move = (step: number): void => {
    const links = [...list.querySelectorAll('a')]
    const next = links.indexOf(document.activeElement as HTMLAnchorElement) + step
    ;(next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus()
  }

  document.querySelector('button.search')?.addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    open()
  })
  input.addEventListener('input', () => void search())
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  dialog.addEventListener('keydown', (event) => {
    // In a search field, browsers would only clear the text.
    if (event.key === 'Escape') dialog.close()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    move(event.key === 'ArrowDown' ? 1 : -1)
  })
  dialog.addEventListener('click', (event) => {
    // A result on the same page only scrolls; a click beside the dialog closes it.
    if (event.target === dialog || (event.target as Element).closest('a')) dialog.close()
  })
}
