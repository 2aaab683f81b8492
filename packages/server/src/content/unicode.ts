/** Replaces lone surrogates by U+FFFD, so that both databases store and return the same text. */
export function cleanText(text: string): string {
  return text.toWellFormed()
}
