import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { DELETION_CONTENTS, type DeletionContent } from '@lyceum/contract'
import { type Command, Option } from 'commander'
import type { Core } from '../app.ts'
import { audit } from '../modules/audit/index.ts'
import { deleteAccount, writeArchive } from '../modules/privacy/index.ts'
import { coreAction, type Output } from './bootstrap.ts'
import { accountCommand, userNamed } from './find-user.ts'
import { CommandError, type Terminal } from './terminal.ts'

const remove = async ({ services, write }: Core, name: string, { content }: { content: DeletionContent }): Promise<Output> => {
  const { id, username } = await userNamed(services.database.read, name)
  const done = await write(null, async (ctx) => {
    if (!(await deleteAccount(ctx, id, { content, by: null }))) return false
    await audit(ctx, 'account.deleted', { object_type: 'user', object_id: id, details: { content } })
    return true
  })
  if (!done) throw new CommandError(`there is no user ${name}`)
  const text = `${username} is deleted and can no longer be used. A server removes what belongs to it, some hundred rows at a time.\n`
  return [{ id, username, content }, text]
}

const exportTo = async ({ services, write }: Core, name: string, file: string): Promise<Output> => {
  const { id, username } = await userNamed(services.database.read, name)
  if (await stat(file).catch(() => null)) throw new CommandError(`${file} exists; choose another name`)
  if (!existsSync(dirname(resolve(file)))) throw new CommandError(`there is no directory ${dirname(resolve(file))}`)
  await writeArchive(services, id, file)
  await write(null, (ctx) => audit(ctx, 'account.exported', { object_type: 'user', object_id: id }))
  const { size } = await stat(file)
  const text = `${file} holds what is stored about ${username} (${size} bytes).\n`
  return [{ id, username, file, bytes: size }, text]
}

export const userPrivacyCommands = (user: Command, terminal: Terminal) => {
  accountCommand(user, 'delete', 'delete an account permanently')
    .addOption(
      new Option('--content <how>', 'what becomes of its feeds and comments: they stay without a name, or go')
        .choices(DELETION_CONTENTS)
        .default('anonymise'),
    )
    .action(coreAction(terminal, remove))

  accountCommand(user, 'export', 'write all stored data of an account to a zip file')
    .argument('<file>', 'a zip file that does not exist yet')
    .action(coreAction(terminal, exportTo))
}
