import { flat, initialsOf, lineOf, linesOf, requireAddress } from './html.ts'

export interface Item {
  readonly title: string
  /** The title was written by a member, so its text direction is detected; otherwise it is a sentence of this mail. */
  readonly written?: boolean
  /** A secondary line below the title, such as author and time. */
  readonly detail?: string
  readonly excerpt?: string
  readonly url: string
  /** Name of the person whose initials are shown before the entry. */
  readonly person?: string
  /** Text at the end of the line, such as a number. */
  readonly aside?: string
}

/** A part of a card. All texts are plain text and are escaped. */
export type MailComponent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** Text written by a member. */
  | { readonly kind: 'quote'; readonly person?: string; readonly detail?: string; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  | { readonly kind: 'button'; readonly label: string; readonly url: string; readonly spelled?: boolean }

const line = (text: string | undefined) => (text ? lineOf(text) : null)
const letters = (name: string | undefined) => (name ? initialsOf(name) : null)

const viewItems = (items: readonly Item[]) => {
  // Entries without initials are indented to align with those that have some.
  const hasInitials = items.some(({ person }) => person)
  return items.map(({ title, written = false, detail, excerpt, url, person, aside = null }, index) => ({
    title: lineOf(title),
    written,
    detail: line(detail),
    excerpt: line(excerpt),
    url: requireAddress(url),
    initials: letters(person),
    indented: hasInitials && !person,
    aside,
    rule: index === 0 ? '0' : '1px',
  }))
}

/** A component as a view for the template of mails. `last`: it is the last one of its card. */
export const viewComponent = (part: MailComponent, last: boolean): object => {
  if (part.kind === 'text') return { text: { html: linesOf(part.text), last } }
  if (part.kind === 'heading') return { heading: part.text }
  if (part.kind === 'items') return { items: { rows: viewItems(part.items) } }
  if (part.kind === 'button') return { button: { label: part.label, url: requireAddress(part.url), spelled: part.spelled ?? false } }
  const { person: name, detail, text } = part
  return { quote: { person: name ? { name, initials: initialsOf(name), detail: line(detail) } : null, html: linesOf(text), last } }
}

const COLUMNS = 74

/** Wraps a line at a width that every mail client displays; URLs and other long words are not split. */
const folded = (line: string): string[] => {
  const lines = ['']
  for (const word of line.split(' ')) {
    const present = lines.at(-1)!
    if (present !== '' && present.length + 1 + word.length > COLUMNS) lines.push(word)
    else lines[lines.length - 1] = present === '' ? word : `${present} ${word}`
  }
  return lines
}

const itemText = ({ title, detail, excerpt, url, aside }: Item) =>
  [
    `* ${flat(title)}${aside === undefined ? '' : ` (${aside})`}`,
    ...(excerpt ? [`  ${flat(excerpt)}`] : []),
    ...(detail ? [`  ${flat(detail)}`] : []),
    `  ${url}`,
  ].join('\n')

export const componentText = (part: MailComponent): string => {
  if (part.kind === 'text') return part.text.split('\n').flatMap(folded).join('\n')
  if (part.kind === 'heading') return `${part.text}\n${'-'.repeat(Math.min(60, [...part.text].length))}`
  if (part.kind === 'items') return part.items.map(itemText).join('\n\n')
  if (part.kind === 'button') return `${part.label}:\n${part.url}`
  const who = [part.person, part.detail && flat(part.detail)].filter(Boolean).join(', ')
  const lines = part.text.split('\n').flatMap((line) => folded(line).map((piece) => `> ${piece}`.trimEnd()))
  return [...(who ? [`${who}:`] : []), ...lines].join('\n')
}
