import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileIn = (dataDir: string) => join(dataDir, 'address')

/** Stores the address at which the public reaches the server, for commands that make links without its variables. */
export const rememberAddress = (dataDir: string, address: string): void => writeFileSync(fileIn(dataDir), `${address}\n`)

/** The address of the last server; empty if there was none. */
export const rememberedAddress = (dataDir: string): string => {
  try {
    return readFileSync(fileIn(dataDir), 'utf8').trim()
  } catch {
    return ''
  }
}
