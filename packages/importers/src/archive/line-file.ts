import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

export interface LineFile {
  readonly bytes: number
  readonly lines: number
  readonly sha256: string
}

const BUFFER_CHARACTERS = 256 * 1024

/** Writes lines to a new file that only its owner can read. */
export const createLineFile = async (path: string) => {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let waiting: string[] = []
  let length = 0
  let bytes = 0
  let lines = 0

  const flush = async () => {
    if (waiting.length === 0) return
    const chunk = Buffer.from(waiting.join(''))
    waiting = []
    length = 0
    bytes += chunk.length
    hash.update(chunk)
    await file.appendFile(chunk)
  }

  return {
    /** Writes a line, which must include its line break. */
    add: async (line: string): Promise<void> => {
      waiting.push(line)
      length += line.length
      lines++
      if (length >= BUFFER_CHARACTERS) await flush()
    },
    finish: async (): Promise<LineFile> => {
      await flush()
      await file.close()
      return { bytes, lines, sha256: hash.digest('hex') }
    },
    abandon: (): Promise<void> => file.close(),
  }
}
