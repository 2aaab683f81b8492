import type { Listener } from '#test/sse-client.ts'
import type { RawAnswer } from '#test/world.ts'
import { type Life, randomAddress, type Session, signInTo } from './life.ts'
import { KINDS, type Kind } from './table.ts'

const isIn = async (say: Session['send']) => (await say('GET', '/profile/me')).status === 200
const isOpen = (listener: Listener) =>
  Promise.race([
    listener.all().then(
      () => true,
      () => false,
    ),
    listener.ended.then(
      () => false,
      () => false,
    ),
  ])
const post = ({ world }: Life, path: string, body: object, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  world.request('POST', path, body, { ...randomAddress(), ...headers })
const works = ({ status }: RawAnswer) => status === 200

/** Tries a credential. Single-use ones, and those that affect others, come last. */
const PROBES: Readonly<Record<Kind, (life: Life) => Promise<boolean>>> = {
  password: async ({ world, present, former }) => (await signInTo(world, present.username, former.password)) !== null,
  'own session': ({ own }) => isIn(own.send),
  'other session': ({ other }) => isIn(other.send),
  'application password': ({ applicationPassword }) => isIn(applicationPassword.say),
  'child application password': ({ child }) => isIn(child),
  'stream of the other session': ({ streams }) => isOpen(streams.session),
  'stream of the application password': ({ streams }) => isOpen(streams.applicationPassword),
  'push subscription': async ({ world, id }) => {
    const rows = world.app.services.database.read.selectFrom('push_subscriptions').select('id').where('user_id', '=', id)
    return (await rows.execute()).length > 0
  },
  'pending export': async ({ world, exports }) => {
    const row = world.app.services.database.read.selectFrom('data_exports').select('status').where('id', '=', exports.pending)
    return (await row.executeTakeFirst())?.status === 'pending'
  },
  'export download': async ({ world, exports, present }) => {
    const owner = await signInTo(world, present.username, present.password)
    return owner !== null && works(await owner.send('GET', `/${exports.ready}`))
  },
  'unsubscribe key': async (life) =>
    works(await life.world.request('GET', `//unsubscribe/${life.unsubscribe}`, undefined, randomAddress())),
  // A valid link gets as far as the password check, where the password is too weak.
  'reset link': async (life) =>
    (await post(life, '/auth/reset-password', { token: life.links.reset, password: 'x' })).body.code === 'weak_password',
  'device cookie': async (life) => {
    const { username: login, password } = life.present
    for (let i = 0; i < 11; i++) await post(life, '/auth/login', { login, password: 'Wrong-river-7431' })
    const { status } = await post(life, '/auth/login', { login, password }, { cookie: life.other.device })
    life.world.clock.advance(60)
    return status === 200
  },
  'email-change link': async (life) => works(await post(life, '/auth/confirm-email', { token: life.links.email })),
  'undo link': async (life) => works(await post(life, '/auth/undo-email-change', { token: life.links.undo })),
}

/** The credentials that still work, tried in the order of the table. */
export const survivors = async (life: Life): Promise<Kind[]> => {
  const alive: Kind[] = []
  for (const kind of KINDS) if (await PROBES[kind](life)) alive.push(kind)
  return alive
}
