import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Uploads } from './model.ts'
import { folded, safePath, spellings } from './paths.ts'

const ROOTS = ['', 'uploads', 'wp-content/uploads', 'public/uploads']

const statOf = (path: string) => lstat(path).catch(() => null)

/** The entry of a folder with this name, or with one that differs only in case or composition. */
const entryOf = async (folder: string, name: string): Promise<string | null> => {
  if (await statOf(join(folder, name))) return name
  const wanted = folded(name)
  const names = await readdir(folder).catch(() => [])
  return names.find((found) => folded(found) === wanted) ?? null
}

/** The file at a path below `root`, if neither it nor a folder on the way to it is a link. */
const fileAt = async (root: string, path: string): Promise<string | null> => {
  let at = root
  const parts = path.split('/')
  for (const [index, part] of parts.entries()) {
    const name = await entryOf(at, part)
    if (name === null) return null
    at = join(at, name)
    const stats = await statOf(at)
    if (index === parts.length - 1 ? !stats?.isFile() : !stats?.isDirectory()) return null
  }
  return at
}

const isFolder = async (path: string) => (await statOf(path))?.isDirectory() ?? false

/** Files below a folder, with links left out. Paths begin with `path`. */
async function* filesBelow(folder: string, path: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const below = `${path}/${entry.name}`
    if (entry.isFile()) yield below
    else if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), below)
  }
}

const rootsOf = (folder: string) => (basename(folder) === 'uploads' ? [''] : ROOTS)

export const uploadsInFolder = (folder: string): Uploads => ({
  open: async (path) => {
    for (const spelling of spellings(path))
      for (const root of rootsOf(folder)) {
        const file = await fileAt(join(folder, root), spelling)
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
})
