import { afterAll, beforeAll, it } from 'vitest'
import { createWorld, type Member, type World } from '../../../test/world.ts'
let world: World
let ana: Member
beforeAll(async () => { world = await createWorld(); ana = await world.member() })
afterAll(() => world.close())
it('measure', async () => {
  const { data: feed } = await ana.api.feeds.create({ message: 'x' })
  const times = new Map<string, number>()
  const wrap = (db: any) => {
    const send = db.executeQuery.bind(db)
    Object.defineProperty(db, 'executeQuery', { configurable: true, value: async (q: { sql: string }) => { const t = performance.now(); try { return await send(q as never) } finally { const k = q.sql.slice(0, 70).replaceAll('\n', ' '); times.set(k, (times.get(k) ?? 0) + performance.now() - t) } } })
    return () => Reflect.deleteProperty(db, 'executeQuery')
  }
  const write = world.app.services.database.write
  Object.defineProperty(world.app.services.database, 'write', { value: (work: (db: unknown) => Promise<unknown>) => write(async db => {
    const un = wrap(db)
    try { return await work(db) } finally { un() }
  }) })
  for (let round = 0; round < 4; round++) {
    times.clear()
    const N = 500; let i = 0; const t = performance.now()
    await Promise.all(Array.from({ length: 1 }, async () => { while (i++ < N) { const r = await ana.raw('POST', `/feeds/${feed.id}/comments`, { comment: 'Thanks for this, it helped a lot.' }); if (r.status !== 201) throw new Error(r.text) } }))
    console.log(round, world.dialect, 'ms each', (performance.now() - t) / N, [...times].map(([k, v]) => `${(v / N).toFixed(3)} ${k}`))
  }
  const un = wrap(world.app.services.database.read); times.clear()
  const t2 = performance.now(); for (let k = 0; k < 100; k++) await ana.raw('GET', `/feeds/${feed.id}/comments?per_page=20`)
  console.log('list ms', (performance.now() - t2) / 100, [...times].map(([k, v]) => `${(v / 100).toFixed(3)} ${k}`)); un()
}, 60000)
