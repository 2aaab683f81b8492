import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject, vi } from 'vitest'

const text = (mail: string) => mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=')

/** Waits for the first matching email in the outbox directory of the server. */
export const mailTo = (address: string, saying: RegExp): Promise<string> => {
  const folder = join(inject('stage').folder, 'outbox')
  return vi.waitFor(
    async () => {
      for (const file of await readdir(folder)) {
        const mail = text(await readFile(join(folder, file), 'utf8'))
        if (mail.includes(`To: ${address}`) && saying.test(mail)) return mail
      }
      throw new Error(`no mail to ${address} says ${saying}`)
    },
    { timeout: 15_000, interval: 100 },
  )
}
