import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject, vi } from 'vitest'

const text = (mail: string) => mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=')

/** The first mail to somebody that says that, as soon as it is in the outbox of a server that sends none. */
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
