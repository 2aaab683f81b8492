import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createWorld } from '#test/world.ts'
import { openDatabase, runText } from '../../db/index.ts'

const onServer = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'

test.runIf(onServer)('many reactions to one locked feed do not delay requests elsewhere', { timeout: 30_000 }, async () => {
  const world = await createWorld({ env: { LYCEUM_DATABASE_POOL: '4' } })
  const [ana, ...crowd] = await Promise.all(Array.from({ length: 9 }, () => world.member()))
  if (!ana) throw new Error('nobody came')
  const [hot, quiet] = [
    (await ana.api.feeds.create({ message: 'Hot' })).data.id,
    (await ana.api.feeds.create({ message: 'Quiet' })).data.id,
  ]
  const other = openDatabase({
    url: world.app.services.config.databaseUrl,
    dataDir: mkdtempSync(join(inject('scratch'), 'other-')),
    poolSize: 1,
  })
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = other.write(async (db) => {
    await runText(db, 'select 1 from feeds where id = $1 for update', [hot])
    held()
    await mayEnd
  })
  await isHeld
  let ended = 0
  const reactions = crowd.map(async ({ api }) => {
    await api.reactions.toFeed({ feed_id: hot, type: 'like' })
    ended += 1
  })
  for (const { api } of crowd) await api.comments.create({ feed_id: quiet, comment: 'Here it is quiet' })
  expect(ended).toBe(0)
  end()
  await Promise.all([holding, ...reactions])
  expect((await ana.api.feeds.byId({ feed_id: hot })).data.reactions_count).toBe(crowd.length)
  await other.close()
  await world.close()
})
