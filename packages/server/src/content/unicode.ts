/** The text with lone surrogates replaced by U+FFFD, so that both databases store and return the same. */
export function cleanText(text: string): string {
  return text.toWellFormed()
}

/** True if the text holds U+0000, which PostgreSQL cannot store: the caller refuses it. */
export function hasNul(text: string): boolean {
  return text.includes('\0')
}
