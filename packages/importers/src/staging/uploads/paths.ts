/** Normalizes a path below the uploads folder; null if it leaves the folder or is not a valid path. */
export const safePath = (path: string): string | null => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: file names must not contain them
  if (/[\u0000-\u001f]/.test(path) || path.length > 4096) return null
  const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.')
  if (parts.length === 0 || parts.includes('..') || /^[a-z]:$/i.test(parts[0] as string)) return null
  return parts.join('/')
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Spellings to look up: the path itself, and its percent-decoded form. */
export const spellings = (path: string): string[] =>
  [...new Set([safePath(path), safePath(decoded(path))])].filter((spelling) => spelling !== null)

/** Lookup key that ignores case and Unicode normalization. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase()

/** The prefix of a path in an archive or folder, such as `wp-content/uploads/`. */
export const rootOf = (path: string): string | null => /^(?:[^/]+\/){0,4}?uploads\//i.exec(path)?.[0] ?? null
