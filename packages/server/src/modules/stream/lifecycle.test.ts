import { connect } from 'node:net'
import { LyceumError } from '@lyceum/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { type Listener, listen, summaryOf } from '#test/sse-client.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
const listeners: Listener[] = []

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
})
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.stop())))
afterAll(() => world.close())

const hear = async (who: Member, lastEventId?: string): Promise<Listener> => {
  const listener = await listen(world, who, lastEventId)
  listeners.push(listener)
  return listener
}
const post = async (who: Member) => (await who.api.feeds.create({ message: 'Hello there' })).data.id
const lastId = ({ received }: Listener) => received.at(-1)?.id ?? ''
const streams = () => world.app.services.realtime.streams()
const basic = ({ username, password }: Member) => ({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

/** Reads a stream without the SDK to its end, as a browser would. */
const readAll = async (headers: Record<string, string>, begun: () => Promise<unknown>): Promise<string> => {
  const answer = await fetch(`${world.base}/stream`, { headers })
  expect(answer.status).toBe(200)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader?.read())?.value ?? ''
  await begun()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) text += next.value
  return text
}

const CLOSED = (reason: string) => `event: closed\ndata: {"reason":"${reason}"}\n\n`

describe('a stream ends', () => {
  test.each(['suspended', 'banned'] as const)('when the account is %s', async (status) => {
    const who = await world.member()
    const listener = await hear(who)
    await world.app.write(null, async (ctx) => {
      await ctx.db.updateTable('users').set({ status }).where('id', '=', who.id).execute()
      await ctx.emit('user.status_changed', { user_id: who.id })
    })
    const feed_id = await post(ana)
    expect((await listener.next('closed')).data).toEqual({ reason: 'signed_out' })
    await expect(listener.ended).rejects.toThrow(LyceumError)
    await expect(listener.ended).rejects.toMatchObject({ status: 403, code: `account_${status}` })
    expect(summaryOf(listener.received).join()).not.toContain(String(feed_id))
  })

  test('when the account is suspended without an event', async () => {
    const who = await world.member()
    const ended = await readAll(basic(who), () =>
      world.app.services.database.write((db) => db.updateTable('users').set({ status: 'suspended' }).where('id', '=', who.id).execute()),
    )
    expect(ended).toContain(CLOSED('signed_out'))
  })

  test('when the application password is revoked, and nothing is sent afterwards', async () => {
    const who = await world.member()
    const { data } = await who.api.account.applicationPasswords()
    let feed_id = 0
    const ended = await readAll(basic(who), async () => {
      await who.api.account.deleteApplicationPassword({ id: data[0]?.id ?? 0 })
      feed_id = await post(ana)
    })
    expect(ended).toContain(CLOSED('signed_out'))
    expect(ended).not.toContain(`"feed_id":${feed_id}`)
  })

  test('when the browser signs out', async () => {
    const { username } = await register(world)
    const browser = await signIn(world, username, PASSWORD)
    const ended = await readAll({ cookie: browser.cookie }, () => browser.raw('POST', '/auth/logout', {}))
    expect(ended).toContain(CLOSED('signed_out'))
    expect((await browser.raw('GET', '/stream')).status).toBe(401)
  })

  test('when its member opens many more', async () => {
    const who = await world.member()
    const first = await hear(who)
    for (let n = 0; n < 9; n++) await hear(who)
    expect(first.received.map(({ event }) => event)).toEqual(['ready'])
    await hear(who)
    await first.ended
    expect(first.received.at(-1)?.data).toEqual({ reason: 'replaced' })
  })

  test('and leaves nothing behind', async () => {
    await expect.poll(streams).toBe(0)
    const listener = await hear(ana)
    expect(streams()).toBe(1)
    await listener.stop()
    await expect.poll(streams).toBe(0)
  })

  test('with its connection; streams still waiting on that connection never start', async () => {
    await expect.poll(streams).toBe(0)
    const request = `GET /api/v2/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(ana).authorization}\r\n\r\n`
    const socket = connect(Number(new URL(world.base).port), '127.0.0.1', () => socket.write(request.repeat(3)))
    await new Promise((resolve) => socket.once('data', resolve))
    expect(streams()).toBe(1)
    socket.destroy()
    await expect.poll(streams).toBe(0)
  })
})

test('an open stream does not keep updating the last activity', async () => {
  const who = await world.member()
  await hear(who)
  await world.app.presence.flush()
  const last = () =>
    world.app.services.database.read.selectFrom('users').select('last_activity').where('id', '=', who.id).executeTakeFirstOrThrow()
  const before = await last()
  world.clock.advance(120)
  await listeners[0]?.all()
  await world.app.presence.flush()
  expect(await last()).toEqual(before)
})

test('counts once for the rate limit, however long it is open', async () => {
  const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  try {
    const who = await limited.member()
    const listener = await listen(limited, who)
    for (let n = 0; n < 3; n++) await listener.all()
    const { headers } = await who.raw('GET', '/feeds')
    expect(headers.get('x-ratelimit-remaining')).toBe('998')
    await listener.stop()
  } finally {
    await limited.close()
  }
})

test('resuming is limited per minute', async () => {
  const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  try {
    const [who, other] = [await limited.member(), await limited.member()]
    const asked = (member: Member, query = '?last_event_id=1-0-1') => member.raw('HEAD', `/stream${query}`)
    for (let n = 0; n < 60; n++) expect((await asked(who)).status).toBe(200)
    expect((await asked(who)).status).toBe(429)
    expect([(await asked(who, '')).status, (await asked(other)).status]).toEqual([200, 200])
    limited.clock.advance(61)
    expect((await asked(who)).status).toBe(200)
  } finally {
    await limited.close()
  }
})

describe('a resumed stream', () => {
  test('delivers missed events once', async () => {
    const first = await hear(ana)
    const one = await post(ben)
    expect(summaryOf(await first.all())).toEqual([`feed published ${one}`])
    await first.stop()
    const [two, three] = [await post(ben), await post(ben)]
    const second = await hear(ana, lastId(first))
    const four = await post(ben)
    expect(summaryOf(await second.all())).toEqual([two, three, four].map((id) => `feed published ${id}`))
    expect(second.received[0]?.data).toMatchObject({ last_event_id: lastId(first) })
  })

  test('also accepts the position in the header, which takes precedence', async () => {
    const first = await hear(ana)
    const one = await post(ben)
    await first.all()
    const abort = new AbortController()
    const answer = await fetch(`${world.base}/stream?last_event_id=nonsense`, {
      headers: { ...basic(ana), 'last-event-id': first.received[0]?.id ?? '' },
      signal: abort.signal,
    })
    const { value } = (await answer.body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {}
    abort.abort()
    expect(value).toContain(`"feed_id":${one}`)
    expect(value).not.toContain('event: reset')
  })

  test('delivers what is visible now, not what was visible then', async () => {
    const first = await hear(ben)
    await first.stop()
    const hidden = await post(ana)
    const shown = await post(ana)
    await ana.api.feeds.update({ feed_id: hidden, status: 'draft' })
    const second = await hear(ben, lastId(first))
    expect(summaryOf(await second.all())).toEqual([`feed published ${shown}`, `feed hidden ${hidden}`])
  })

  test.each([
    ['too long ago', () => world.clock.advance(301)],
    ['too much', () => tooMuch()],
  ])('sends a reset when it was %s', async (_why, happen) => {
    const first = await hear(ana)
    await first.stop()
    await happen()
    const second = await hear(ana, lastId(first))
    expect(second.received.map(({ event }) => event)).toEqual(['reset', 'ready'])
    const feed_id = await post(ben)
    expect(summaryOf(await second.all())).toEqual([`feed published ${feed_id}`])
    expect(lastId(second)).not.toBe(lastId(first))
  })

  test.each(['', 'nonsense', '-1-0-0', 'zzzzzzzzz-0-k', '0-0'])('rejects the position %j', async (cursor) => {
    const listener = await hear(ana, cursor)
    // An empty position counts as none.
    expect(listener.received.map(({ event }) => event)).toEqual(cursor ? ['reset', 'ready'] : ['ready'])
  })
})

/** More events than a resume replays, the last of them for another member. */
const tooMuch = async () => {
  const other = await hear(ben)
  await world.app.write(null, async (ctx) => {
    for (let n = 0; n < 501; n++) await ctx.emit('user.active', { user_id: ben.id })
  })
  await other.all()
}

test('a server that stops closes its streams', async () => {
  const other = await createWorld()
  const who = await other.member()
  const listener = await listen(other, who)
  const started = performance.now()
  await other.close()
  expect(performance.now() - started).toBeLessThan(5000)
  expect((await listener.next('closed')).data).toEqual({ reason: 'stopping' })
  await listener.stop()
})
