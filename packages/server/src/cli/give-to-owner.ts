import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Gives what root wrote in a directory to the owner of the directory, so that their server can read and write it. */
export const giveToOwner = (directory: string): void => {
  if (process.getuid?.() !== 0) return
  const owner = lstatSync(directory, { throwIfNoEntry: false })
  if (!owner || owner.uid === 0) return
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.uid !== 0) continue
    // Not through links, which may lead elsewhere.
    if (found.isFile() || found.isDirectory()) chownSync(path, owner.uid, owner.gid)
  }
}
