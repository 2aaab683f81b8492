/** A file as it is found in a folder or an archive. */
export interface Found {
  readonly path: string
  readonly content: Buffer
}

/** What a course may take in memory: more is refused before it is unpacked. */
export const MOST_FILES = 5000
export const MOST_BYTES = 128 * 1024 * 1024
const DEEPEST = 8
const LONGEST = 500

/** What systems leave behind in folders and archives. */
const LEFTOVER = /(?:^|\/)(?:__MACOSX|Thumbs\.db|desktop\.ini|\.(?!\.?(?:\/|$))[^/]*)(?:\/|$)/i

export const isLeftover = (path: string): boolean => LEFTOVER.test(path)

/** Why a path of an archive is refused; null for one that stays inside. */
export const pathTrouble = (path: string): string | null => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them belongs into a name
  if (/[\u0000-\u001f\\]/.test(path)) return 'its name has characters that no file may have'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'it names a place outside of the archive'
  const parts = path.split('/')
  if (parts.some((part) => part === '..' || part === '.' || part === '')) return 'it names a place outside of the archive'
  if (parts.length > DEEPEST || path.length > LONGEST) return 'its path is too long'
  return null
}
