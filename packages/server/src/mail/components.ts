import { readable } from './colors.ts'
import { escapeHtml, FONT, initialsOf, lineOf, linesOf, requireAddress } from './html.ts'
import type { Theme } from './theme.ts'

/** An entry of a list; it links to `url`. */
export interface Item {
  readonly title: string
  /** The title was written by a member, so its text direction is detected; otherwise it is a sentence of this mail. */
  readonly written?: boolean
  /** A secondary line below the title, such as author and time. */
  readonly detail?: string
  /** Beginning of the content. */
  readonly excerpt?: string
  readonly url: string
  /** Name of the person whose initials are shown before the entry. */
  readonly person?: string
  /** Text at the end of the line, such as a number. */
  readonly aside?: string
}

/** A part of a card. All texts are plain text and are escaped. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** Text written by a member. */
  | { readonly kind: 'quote'; readonly person?: string; readonly detail?: string; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  | { readonly kind: 'button'; readonly label: string; readonly url: string; readonly spelled?: boolean }

const ANYWHERE = 'overflow-wrap:anywhere;word-break:break-word;'

const paragraph = (text: string, last: boolean) =>
  `<p class="body" dir="auto" style="margin:0${last ? '' : ' 0 16px'};font:16px/1.6 ${FONT};color:#2b2f38;${ANYWHERE}">${linesOf(text)}</p>`

const heading = (text: string) =>
  `<h2 class="soft" dir="auto" style="margin:32px 0 4px;font:600 13px/1.4 ${FONT};color:#69707f;letter-spacing:0.02em;">${escapeHtml(text)}</h2>`

/** In a separate table, so that the circle keeps its shape next to text with several lines. */
const initials = (name: string, { accent, tint }: Theme) => `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
                    <td class="tint" width="40" height="40" align="center" valign="middle" bgcolor="${tint}"
                      style="width:40px;height:40px;border-radius:20px;background:${tint};font:600 15px/40px ${FONT};color:${readable(accent, tint, 4.5)};">
                      ${escapeHtml(initialsOf(name))}</td>
                  </tr></table>`

const quote = ({ person, detail, text }: Extract<Block, { kind: 'quote' }>, look: Theme, last: boolean) => {
  const who = person
    ? `
                <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px;"><tr>
                  <td width="40" valign="top">${initials(person, look)}</td>
                  <td style="padding:0 12px;">
                    <div class="ink" dir="auto" style="font:600 15px/1.4 ${FONT};color:#14171d;${ANYWHERE}">${escapeHtml(person)}</div>${
                      detail
                        ? `
                    <div class="soft" dir="auto" style="font:13px/1.4 ${FONT};color:#69707f;${ANYWHERE}">${lineOf(detail)}</div>`
                        : ''
                    }
                  </td>
                </tr></table>`
    : ''
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0${last ? '' : ' 0 24px'};">
                <tr><td class="well" style="padding:20px;background:#f5f6f9;border-radius:12px;">${who}
                  <div class="body" dir="auto" style="font:16px/1.6 ${FONT};color:#2b2f38;${ANYWHERE}">${linesOf(text)}</div>
                </td></tr>
              </table>`
}

const line = (text: string | undefined, name: 'body' | 'soft', font: string, color: string) =>
  text
    ? `
                  <div class="${name}"${name === 'body' ? ' dir="auto"' : ''} style="margin-top:4px;font:${font} ${FONT};color:${color};${ANYWHERE}">${lineOf(text)}</div>`
    : ''

interface Place {
  readonly first: boolean
  /** Other entries of the list have initials, so this one is indented to align with them. */
  readonly indented: boolean
}

const item = ({ title, written, detail, excerpt, url, person, aside }: Item, look: Theme, { first, indented }: Place) => {
  const rule = `border-top:${first ? '0' : '1px'} solid #e9ebef;`
  const before = person
    ? `<td class="rule" width="40" valign="top" style="width:40px;padding:14px 0;${rule}">
                  ${initials(person, look)}
                </td>`
    : ''
  const after = aside
    ? `<td class="rule accent" align="right" valign="top"
                  style="padding:15px 0 14px 12px;${rule}font:600 14px/1.5 ${FONT};color:${look.accent};white-space:nowrap;">${escapeHtml(aside)}</td>`
    : ''
  return `
                <tr>${before}<td class="rule" valign="top"${indented && !person ? ' colspan="2"' : ''} style="padding:14px 0${person ? ' 14px 14px' : ''};${rule}">
                  <a class="ink"${written ? ' dir="auto"' : ''} href="${escapeHtml(requireAddress(url))}"
                    style="display:block;font:600 16px/1.4 ${FONT};color:#14171d;text-decoration:none;${ANYWHERE}">${lineOf(title)}</a>${line(
                      excerpt,
                      'body',
                      '15px/1.5',
                      '#454b57',
                    )}${line(detail, 'soft', '13px/1.5', '#69707f')}
                </td>${after}</tr>`
}

const items = (list: readonly Item[], look: Theme) => {
  const indented = list.some(({ person }) => person)
  const rows = list.map((one, index) => item(one, look, { first: index === 0, indented }))
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0;">${rows.join('')}
              </table>`
}

const button = ({ label, url, spelled }: Extract<Block, { kind: 'button' }>, look: Theme) => {
  const address = escapeHtml(requireAddress(url))
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 0;">
                <tr><td class="button" bgcolor="${look.button}" style="border-radius:10px;background:${look.button};">
                  <a class="label" href="${address}"
                    style="display:inline-block;padding:13px 26px;font:600 16px/1.25 ${FONT};color:${look.label};text-decoration:none;">${escapeHtml(label)}</a>
                </td></tr>
              </table>${
                spelled
                  ? `
              <p class="soft" style="margin:24px 0 0;font:13px/1.6 ${FONT};color:#69707f;word-break:break-all;">
                Or open this address:<br>
                <a class="soft" href="${address}" style="color:#69707f;">${address}</a>
              </p>`
                  : ''
              }`
}

/** A block as HTML. `last`: it is the last one of its card. */
export const block = (part: Block, look: Theme, last: boolean): string => {
  if (part.kind === 'text') return paragraph(part.text, last)
  if (part.kind === 'heading') return heading(part.text)
  if (part.kind === 'quote') return quote(part, look, last)
  if (part.kind === 'items') return items(part.items, look)
  return button(part, look)
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

const flat = (text: string) => text.replace(/\s+/gu, ' ').trim()

const itemText = ({ title, detail, excerpt, url, aside }: Item) =>
  [
    `* ${flat(title)}${aside === undefined ? '' : ` (${aside})`}`,
    ...(excerpt ? [`  ${flat(excerpt)}`] : []),
    ...(detail ? [`  ${flat(detail)}`] : []),
    `  ${url}`,
  ].join('\n')

/** A block as plain text. */
export const blockText = (part: Block): string => {
  if (part.kind === 'text') return part.text.split('\n').flatMap(folded).join('\n')
  if (part.kind === 'heading') return `${part.text}\n${'-'.repeat(Math.min(60, [...part.text].length))}`
  if (part.kind === 'items') return part.items.map(itemText).join('\n\n')
  if (part.kind === 'button') return `${part.label}:\n${part.url}`
  const who = [part.person, part.detail && flat(part.detail)].filter(Boolean).join(', ')
  const lines = part.text.split('\n').flatMap((line) => folded(line).map((piece) => `> ${piece}`.trimEnd()))
  return [...(who ? [`${who}:`] : []), ...lines].join('\n')
}
