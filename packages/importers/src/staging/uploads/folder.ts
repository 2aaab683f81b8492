import { createReadStream, type Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Uploads } from './model.ts'
import { folded, safePath, spellings } from './paths.ts'

const ROOTS = ['', 'uploads', 'wp-content/uploads', 'public/uploads']

const statOf = (path: string) => lstat(path).catch(() => null)

/** Finds a folder entry by name, ignoring case and Unicode normalization. */
const entryOf = async (folder: string, name: string): Promise<{ path: string; stats: Stats } | null> => {
  const path = join(folder, name)
  const stats = await statOf(path)
  if (stats) return { path, stats }
  const wanted = folded(name)
  const names = await readdir(folder).catch(() => [])
  const other = names.find((found) => folded(found) === wanted)
  if (other === undefined) return null
  const found = await statOf(join(folder, other))
  return found && { path: join(folder, other), stats: found }
}

/** Cache size for folders. Many files share a folder. */
const MOST_FOLDERS = 1000

/** Finds the file at a path below `root`. Symbolic links are not followed. */
const finder = () => {
  const folders = new Set<string>()
  return async (root: string, path: string): Promise<string | null> => {
    let at = root
    const parts = path.split('/')
    for (const [index, part] of parts.entries()) {
      const next = join(at, part)
      if (index < parts.length - 1 && folders.has(next)) {
        at = next
        continue
      }
      const found = await entryOf(at, part)
      if (index === parts.length - 1) return found?.stats.isFile() ? found.path : null
      if (!found?.stats.isDirectory()) return null
      at = found.path
      if (folders.size >= MOST_FOLDERS) folders.clear()
      folders.add(at)
    }
    return null
  }
}

const isFolder = async (path: string) => (await statOf(path))?.isDirectory() ?? false

/** Files below a folder, without links. Paths start with `path`. */
async function* filesBelow(folder: string, path: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const below = `${path}/${entry.name}`
    if (entry.isFile()) yield below
    else if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), below)
  }
}

const rootsOf = (folder: string) => (basename(folder) === 'uploads' ? [''] : ROOTS)

export const uploadsInFolder = (folder: string): Uploads => {
  const find = finder()
  return {
    open: async (path) => {
      for (const spelling of spellings(path))
        for (const root of rootsOf(folder)) {
          const file = await find(join(folder, root), spelling)
          if (file !== null) return createReadStream(file)
        }
      return null
    },
    list: async function* (path) {
      const safe = safePath(path)
      if (safe === null) return
      for (const root of rootsOf(folder)) if (await isFolder(join(folder, root, safe))) yield* filesBelow(join(folder, root, safe), safe)
    },
    close: async () => {},
  }
}
