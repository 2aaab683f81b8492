import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory, for its owner only, and those above it. Unlike the recursive `mkdir` of Node, it ends where the file system denies that
 * there is a directory which exists, such as in /proc.
 */
export const makeDirectory = (path: string): void => {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new Error(`the directory ${path} cannot be created (${code})`)
  }
}
