const NAME = /@([A-Za-z0-9_-]{3,30})(?![A-Za-z0-9_@-]|\p{Script=Latin}|\p{M})/uy

/** An @ after a letter, digit, slash or @ belongs to an email address or URL. */
const INSIDE_WORD = /[A-Za-z0-9/@]/

/** Target of the link of a mention, with or without the origin. */
export const MENTION_HREF = /^(?:https?:\/\/[^/]+)?\/u\/[a-z0-9_-]{3,30}$/

/**
 * The usernames, in lower case, that the @ at this position can refer to, most likely first: a trailing _ or - belongs to the name or to
 * the sentence. Empty if it is not a mention.
 */
export function mentionAt(text: string, at: number): string[] {
  if (at > 0 && INSIDE_WORD.test(text[at - 1]!)) return []
  NAME.lastIndex = at
  const name = NAME.exec(text)?.[1]?.toLowerCase()
  if (!name) return []
  const bare = name.replace(/[_-]{1,30}$/, '')
  return bare === name || bare.length < 3 ? [name] : [name, bare]
}

export function mentionHref(username: string, origin: string): string {
  return `${origin}/u/${username}`
}

/** Replaces each mention by the result of `replace`; null leaves it unchanged. Offsets refer to the text. */
export function replaceMentions(text: string, replace: (names: string[]) => { username: string; html: string } | null): string {
  let out = ''
  let done = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const names = mentionAt(text, at)
    const mention = names.length > 0 ? replace(names) : null
    if (!mention) continue
    out += text.slice(done, at) + mention.html
    done = at + 1 + mention.username.length
  }
  return out + text.slice(done)
}
