import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { folded, rootOf, safePath, spellings } from './paths.ts'

/** Index of the files of an archive. It is a temporary SQLite file, because there may be millions. */
export interface FileIndex {
  /** A folder for temporary files, deleted by `close`. */
  readonly folder: string
  readonly add: (path: string, place: unknown) => void
  readonly find: <Place>(path: string) => Place | null
  readonly list: (folder: string) => AsyncGenerator<string>
  readonly close: () => void
}

const MOST_ROOTS = 8

export const createFileIndex = (directory: string = tmpdir()): FileIndex => {
  const folder = mkdtempSync(join(directory, 'lyceum-uploads-'))
  const db = new Database(join(folder, 'index.sqlite'))
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.exec('create table files (folded text, path text, place text); create index files_by_path on files (folded); begin')
  const insert = db.prepare<[string, string, string]>('insert into files values (?, ?, ?)')
  const select = db.prepare<[string, string], { place: string }>(
    'select place from files where folded = ? order by path = ? desc, rowid desc limit 1',
  )
  const below = db.prepare<[string, string], { path: string }>('select distinct path from files where folded >= ? and folded < ?')
  const roots = new Set([''])
  return {
    folder,
    add: (path, place) => {
      const safe = safePath(path)
      if (safe === null) return
      insert.run(folded(safe), safe, JSON.stringify(place))
      const root = rootOf(safe)
      if (root !== null && roots.size < MOST_ROOTS) roots.add(root)
    },
    find: <Place>(path: string) => {
      for (const spelling of spellings(path))
        for (const root of roots) {
          const found = select.get(folded(root + spelling), root + spelling)
          if (found) return JSON.parse(found.place) as Place
        }
      return null
    },
    list: async function* (folder) {
      const safe = safePath(folder)
      if (safe === null) return
      for (const root of roots) {
        const start = folded(`${root}${safe}/`)
        for (const { path } of below.all(start, `${start.slice(0, -1)}0`)) yield path.slice(root.length)
      }
    },
    close: () => {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
