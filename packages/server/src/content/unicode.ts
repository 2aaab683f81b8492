/** Replaces lone surrogates by U+FFFD, so that both databases store and return the same text. */
export function cleanText(text: string): string {
  return text.toWellFormed()
}

/** Whether the text contains U+0000, which PostgreSQL cannot store; callers reject it. */
export function hasNul(text: string): boolean {
  return text.includes('\0')
}
