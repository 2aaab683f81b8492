import { type Command, Option } from 'commander'
import type { Core } from '../app.ts'
import {
  checkAvailable,
  checkedAccount,
  cleanName,
  createAccount,
  createApplicationPassword,
  mailApplicationPassword,
  makeResetLink,
  RESET_MINUTES,
  setRole,
} from '../modules/accounts/index.ts'
import { audit } from '../modules/audit/index.ts'
import { pagesById } from '../util/pages-by-id.ts'
import { rememberedAddress } from '../util/public-address.ts'
import { coreAction, type Output } from './bootstrap.ts'
import { accountCommand, PAGE, type Role, staffAfter, userNamed, usersAfter } from './find-user.ts'
import { textTable } from './table.ts'
import { CommandError, type Terminal } from './terminal.ts'
import { userPrivacyCommands } from './user-privacy.ts'

const ROLES = ['admin', 'manager', 'moderator', 'member'] as const

interface CreateOptions {
  readonly username: string
  readonly email: string
  readonly password?: string
  readonly role: Role
  readonly displayName?: string
}

const create = async ({ services, write }: Core, terminal: Terminal, options: CreateOptions): Promise<Output> => {
  const { username, email, role } = options
  const password = options.password ?? (await terminal.secret(`Password for ${username}: `))
  if (!password) throw new CommandError('give a password with --password or as a line on standard input')
  const account = checkedAccount({ username, email, password, display_name: options.displayName }, { byOperator: true })
  await checkAvailable(services.database.read, account)
  const passwordHash = await services.passwords.hashPassword(password)
  const id = await write(null, async (ctx) => {
    const made = await createAccount(ctx, { ...account, passwordHash })
    if (role === 'member') return made
    await setRole(ctx, made, role, null)
    await audit(ctx, 'manager.saved', { object_type: 'user', object_id: made, details: { role } })
    return made
  })
  return [{ id, username: account.username, role }, `Created ${account.username} (${role}, id ${id}).\n`]
}

const changeRole = async ({ services, write }: Core, name: string, role: Role): Promise<Output> => {
  const { id, username } = await userNamed(services.database.read, name)
  await write(null, async (ctx) => {
    await setRole(ctx, id, role, null)
    await audit(ctx, role === 'member' ? 'manager.removed' : 'manager.saved', { object_type: 'user', object_id: id, details: { role } })
  })
  return [{ id, username, role }, `${username} is now ${role}.\n`]
}

const addApplicationPassword = async ({ services, write }: Core, name: string, options: { name: string }): Promise<Output> => {
  const { id: userId, username } = await userNamed(services.database.read, name)
  const clean = cleanName(options.name, 'name')
  if (!clean) throw new CommandError('the password needs a name, such as --name laptop')
  const made = await write(null, async (ctx) => {
    await ctx.enqueue(mailApplicationPassword.name, { user_id: userId, name: clean, from: null, at: ctx.now })
    return createApplicationPassword(ctx, userId, clean)
  })
  return [{ ...made, username }, `${made.password}\n`]
}

const resetPassword = async ({ services, write }: Core, name: string): Promise<Output> => {
  const { id, username } = await userNamed(services.database.read, name)
  const { dataDir, port, url: configured } = services.config
  // Where the server picks its port itself, only it knows its address.
  const unknown = configured === '' && port === 0 && rememberedAddress(dataDir) === ''
  const { url } = await write(null, async (ctx) => {
    await audit(ctx, 'account.password_reset', { object_type: 'user', object_id: id })
    return makeResetLink(ctx.db, id, ctx.now, unknown ? '' : services.origin())
  })
  const where = unknown ? "at your server's address with this path" : 'here'
  const text = `${username} can choose a new password once, within ${RESET_MINUTES} minutes, ${where}:\n${url}\n`
  return [{ id, username, url, valid_minutes: RESET_MINUTES }, text]
}

const list = async ({ services }: Core, { staff }: { staff?: true }): Promise<Output> => {
  const pages = pagesById(PAGE, (after) => (staff ? staffAfter : usersAfter)(services.database.read, [after]))
  const users = (await Array.fromAsync(pages)).flat()
  const rows = users.map((user) => [
    String(user.id),
    user.username,
    user.role,
    user.status,
    user.email,
    user.created_at.slice(0, 10),
    user.display_name,
  ])
  return [users, textTable(['ID', 'USERNAME', 'ROLE', 'STATUS', 'EMAIL', 'SINCE', 'NAME'], rows)]
}

export const userCommand = (program: Command, terminal: Terminal) => {
  const user = program.command('user').description('create and manage accounts')
  user
    .command('create')
    .description('create an account')
    .requiredOption('--username <name>', '3 to 30 of a-z, 0-9, _ and -')
    .requiredOption('--email <address>', 'email address')
    .option('--password <password>', 'the password (default: prompted for, or read from standard input)')
    .addOption(new Option('--role <role>', 'what the account may do').choices(ROLES).default('member'))
    .option('--display-name <name>', 'the displayed name')
    .action(coreAction(terminal, (core, options: CreateOptions) => create(core, terminal, options)))

  user.command('list').description('list accounts').option('--staff', 'only accounts with a role').action(coreAction(terminal, list))

  accountCommand(user, 'role', 'give an account a role')
    .addArgument(program.createArgument('<role>', 'what the account may do').choices(ROLES))
    .action(coreAction(terminal, changeRole))

  accountCommand(user, 'app-password', 'create an application password and print it on a line of its own')
    .requiredOption('--name <name>', 'what it is for')
    .action(coreAction(terminal, addApplicationPassword))

  accountCommand(user, 'reset-password', 'create a link for setting a new password').action(coreAction(terminal, resetPassword))

  userPrivacyCommands(user, terminal)
}
