import { plainHtml } from './cooked.ts'
import { hasHtml, plainMarkdown } from './markdown.ts'

const POLL = /\[poll(?:\s[^\]\n]{0,500})?\]/
const END_OF_POLL = '[/poll]'

const withoutFirstPoll = (raw: string): string => {
  const start = POLL.exec(raw)
  const end = start ? raw.indexOf(END_OF_POLL, start.index) : -1
  return start && end >= 0 ? raw.slice(0, start.index) + raw.slice(end + END_OF_POLL.length) : raw
}

export interface Text {
  readonly message: string
  readonly format: 'markdown' | 'html'
}

/** The text of a post: its Markdown, or its HTML if Markdown cannot represent it. `withoutPoll`: removes the first poll, which becomes a survey. */
export const textOfPost = (raw: string, cooked: string, withoutPoll: boolean): Text => {
  if (raw.trim() === '' || (hasHtml(raw) && cooked.trim() !== '')) return { message: plainHtml(cooked), format: 'html' }
  return { message: plainMarkdown(withoutPoll ? withoutFirstPoll(raw) : raw), format: 'markdown' }
}

const escaped = (text: string) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Appends lines to a text as a list. */
export const withList = ({ message, format }: Text, lines: readonly string[]): Text => {
  if (lines.length === 0) return { message, format }
  const list =
    format === 'html'
      ? `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`
      : lines.map((line) => `- ${line}`).join('\n')
  return { message: message === '' ? list : `${message}\n\n${list}`, format }
}
