/** The path of a file below the uploads; null for one that leads out of them or that no file can have. */
export const safePath = (path: string): string | null => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them belongs into a name
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

/** The spellings by which a path is looked up: as it is, and without percent-encoding. */
export const spellings = (path: string): string[] =>
  [...new Set([safePath(path), safePath(decoded(path))])].filter((spelling) => spelling !== null)

/** Equal for names that differ only in case or in the composition of their characters. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase()

/** `wp-content/uploads/` and the like: what archives and folders may have before the paths. */
export const rootOf = (path: string): string | null => /^(?:[^/]+\/){0,4}?uploads\//i.exec(path)?.[0] ?? null
