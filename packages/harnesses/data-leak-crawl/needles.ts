/** A piece of a text that occurs in nothing that everybody may read, and so shows where the text went. */
const LENGTH = 20
const STARTS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu
const PLAIN = /^[\p{L}\p{N} ,.-]+$/u
/** Keys of files and addresses of people are known as they are. */
const WHOLE = /[\w.+-]+@[\w.-]+\w|[0-9a-f]{32}/g

function* piecesOf(text: string): Generator<string> {
  for (const { index } of text.matchAll(STARTS)) if (index + LENGTH <= text.length) yield text.slice(index, index + LENGTH)
}

/** Collects what everybody may read, then pieces of what they may not, and finds these in answers. */
export const createNeedles = <T>() => {
  const open = new Set<string>()
  const needles = new Map<string, T>()
  return {
    needles,
    show: (text: string) => {
      for (const piece of piecesOf(text)) open.add(piece)
      // Excerpts join the lines of a text.
      for (const piece of piecesOf(text.replace(/\s+/g, ' '))) open.add(piece)
    },
    /** Up to two pieces of a text. False if it has none: it is short, or others have the same. */
    hide: (text: string, secret: T): boolean => {
      let found = 0
      for (const piece of piecesOf(text)) {
        if (open.has(piece) || needles.has(piece) || !PLAIN.test(piece)) continue
        needles.set(piece, secret)
        if (++found === 2) break
      }
      return found > 0
    },
    /** A word that is a secret as a whole. */
    hideWord: (word: string, secret: T) => void needles.set(word, secret),
    tokensIn: function* (text: string): Generator<string> {
      for (const piece of piecesOf(text)) if (needles.has(piece)) yield piece
      for (const [word] of text.matchAll(WHOLE)) if (needles.has(word)) yield word
    },
  }
}
