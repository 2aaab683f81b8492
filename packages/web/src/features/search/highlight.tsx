const AROUND = 140

const wordsOf = (sought: string) => sought.toLocaleLowerCase().split(/\s+/).filter(Boolean)
const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Text with the search terms highlighted. */
export const Highlight = ({ text, sought }: { readonly text: string; readonly sought: string }) => {
  const words = wordsOf(sought)
  if (words.length === 0) return text
  const parts = text.split(new RegExp(`(${words.map(escaped).join('|')})`, 'giu'))
  // biome-ignore lint/suspicious/noArrayIndexKey: text parts have no ID
  return parts.map((part, n) => (n % 2 === 1 ? <mark key={n}>{part}</mark> : part))
}

/** An excerpt of rendered text around the first match. */
export const excerptOf = (html: string, sought: string): string => {
  const text = (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, ' ').trim()
  const lower = text.toLocaleLowerCase()
  const found = wordsOf(sought)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...found, text.length) - AROUND / 2)
  const start = found.length === 0 || from < AROUND / 2 ? 0 : from
  return `${start > 0 ? '…' : ''}${text.slice(start, start + AROUND * 2)}${start + AROUND * 2 < text.length ? '…' : ''}`
}
