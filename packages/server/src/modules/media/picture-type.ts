type SignaturePart = readonly [at: number, text: string]

const SIGNATURES: readonly (readonly [type: string, ...pieces: SignaturePart[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
]
const MAX_SIGNATURE_BYTES = 16

/**
 * The type of a picture that browsers can show, by its magic number; otherwise null. SVG is excluded, since it can contain scripts. Only
 * the first bytes are read: full parsers can be slow on crafted files.
 */
export const pictureTypeOf = (bytes: Buffer): string | null => {
  const start = bytes.toString('latin1', 0, MAX_SIGNATURE_BYTES)
  return SIGNATURES.find(([, ...pieces]) => pieces.every(([at, text]) => start.startsWith(text, at)))?.[0] ?? null
}
