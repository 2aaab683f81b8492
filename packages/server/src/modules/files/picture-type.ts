type Piece = readonly [at: number, text: string]

/** What pictures begin with, by their type. */
const SIGNATURES: readonly (readonly [type: string, ...pieces: Piece[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
]
const LONGEST = 16

/**
 * The type of a picture that browsers show, by its first bytes; null for everything else. SVG is a document with scripts and none of them.
 * Nothing beyond the beginning is read: parsers of whole files take long for crafted ones.
 */
export const pictureTypeOf = (bytes: Buffer): string | null => {
  const start = bytes.toString('latin1', 0, LONGEST)
  return SIGNATURES.find(([, ...pieces]) => pieces.every(([at, text]) => start.startsWith(text, at)))?.[0] ?? null
}
