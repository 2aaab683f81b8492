/** Whether a name can be used in a sentence: it is short and contains no URL. */
const isPlainName = (plain: string): boolean => plain !== '' && plain.length <= 60 && !/[:/\\@<>]|\.\S|www/i.test(plain)

/**
 * A name on one line; empty if it cannot be used in a sentence. Anyone can register somebody else's address with a name that advertises
 * something, so names that could become a link or that are longer texts are omitted.
 */
export const spokenName = (name: string): string => {
  const plain = name.replace(/[\p{C}\s]+/gu, ' ').trim()
  return isPlainName(plain) ? plain : ''
}

/** `n…@example.org`: enough for owners to recognize their address. */
export const masked = (email: string): string => email.replace(/^(.)[^@]*@/u, '$1…@')
