/** Parts of a Markdown text that are code: `[start, end)`. */
type Range = readonly [start: number, end: number]

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Fenced blocks, up to their end or the end of the text. */
const fencedBlocks = (text: string): Range[] => {
  const ranges: Range[] = []
  let open: { readonly start: number; readonly mark: string } | null = null
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline + 1
    const mark = FENCE.exec(text.slice(at, Math.min(end, at + 200)))?.[1]
    if (open === null) {
      if (mark) open = { start: at, mark }
    } else if (mark?.startsWith(open.mark)) {
      ranges.push([open.start, end])
      open = null
    }
    at = end
  }
  return open === null ? ranges : [...ranges, [open.start, text.length]]
}

/** Code spans between two runs of backticks of the same length, outside of fenced blocks. */
const codeSpans = (text: string, blocks: readonly Range[]): Range[] => {
  const runs: { readonly at: number; readonly length: number }[] = []
  let block = 0
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at)) {
    while (block < blocks.length && (blocks[block] as Range)[1] <= at) block++
    const inside = blocks[block]
    if (inside && inside[0] <= at) {
      at = inside[1]
      continue
    }
    let length = 1
    while (text[at + length] === '`') length++
    runs.push({ at, length })
    at += length
  }
  const byLength = new Map<number, number[]>()
  for (const [i, { length }] of runs.entries()) byLength.set(length, [...(byLength.get(length) ?? []), i])
  const next = new Map<number, number>()
  const ranges: Range[] = []
  for (let i = 0; i < runs.length; ) {
    const { at, length } = runs[i] as (typeof runs)[number]
    const same = byLength.get(length) ?? []
    let place = next.get(length) ?? 0
    while (place < same.length && (same[place] as number) <= i) place++
    next.set(length, place)
    const closing = same[place]
    if (closing === undefined) {
      i++
      continue
    }
    const end = runs[closing] as (typeof runs)[number]
    ranges.push([at, end.at + end.length])
    i = closing + 1
  }
  return ranges
}

const codeIn = (text: string): Range[] => {
  if (!text.includes('`') && !text.includes('~~~')) return []
  const blocks = fencedBlocks(text)
  return [...blocks, ...codeSpans(text, blocks)].sort((a, b) => a[0] - b[0])
}

/** Absolute URLs, and paths in links, images and attributes. */
const ADDRESS = /https?:\/\/[^\s<>"'`()[\]{}|\\^]+|(?<=\]\(<?|\]: {0,3}<?|(?:href|src)=")\/(?!\/)[^\s<>"()]*/g
const PUNCTUATION = /(?<![.,;:!?*_~])[.,;:!?*_~]+$/

/** A mention. An @ inside an email address or URL does not match. */
const MENTION = /(?<![\p{L}\p{N}_/@.-])@[\p{L}\p{N}_.-]{1,100}/gu
/** Punctuation that may belong to the name or end the sentence. */
const END = /(?<![._-])[._-]+$/

/** Replaces matches of `pattern` outside of code. */
const replaceOutsideCode = (text: string, pattern: RegExp, replace: (found: string, at: number) => string): string => {
  const code = codeIn(text)
  let at = 0
  let next = 0
  let out = ''
  for (const match of text.matchAll(pattern)) {
    while (next < code.length && (code[next] as Range)[1] <= match.index) next++
    const inside = code[next]
    if (inside && inside[0] < match.index + match[0].length) continue
    out += text.slice(at, match.index) + replace(match[0], match.index)
    at = match.index + match[0].length
  }
  return out + text.slice(at)
}

/** Syntax before the URL of a link, image or attribute. */
const LINKS = /(?:\]\(<?|\]: {0,3}<?|(?:href|src)=")$/
const LONGEST = 6

/**
 * Replaces URLs in a text; to keep one, the callback returns it unchanged. `isBare`: the URL is plain text, which becomes
 * a link only if it is absolute.
 */
export const replaceAddresses = (text: string, replace: (address: string, isBare: boolean) => string): string =>
  !text.includes('/')
    ? text
    : replaceOutsideCode(text, ADDRESS, (found, at) => {
        const end = PUNCTUATION.exec(found)?.[0] ?? ''
        const address = found.slice(0, found.length - end.length)
        return replace(address, !LINKS.test(text.slice(Math.max(0, at - LONGEST), at))) + end
      })

/** The names that a mention may mean, in lower case, longest first. */
const namesIn = (mention: string): string[] => {
  const name = mention.slice(1).toLowerCase()
  const bare = name.replace(END, '')
  return bare === name || bare === '' ? [name] : [name, bare]
}

/** Replaces mentions with the usernames that `known` returns for lowercase names. */
export const replaceMentions = (text: string, known: (name: string) => string | undefined): string =>
  !text.includes('@')
    ? text
    : replaceOutsideCode(text, MENTION, (mention) => {
        for (const name of namesIn(mention)) {
          const username = known(name)
          if (username !== undefined) return `@${username}${mention.slice(name.length + 1)}`
        }
        return mention
      })

/** The mentioned names in a text, and the URLs that `isOwn` accepts. */
export const findReferences = (text: string, isOwn: (address: string) => boolean) => {
  const addresses = new Set<string>()
  const names = new Set<string>()
  replaceAddresses(text, (address) => {
    if (isOwn(address)) addresses.add(address)
    return address
  })
  replaceMentions(text, (name) => {
    names.add(name)
    return undefined
  })
  return { addresses: [...addresses], names: [...names] }
}
