import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from './caller.ts'
import { made, makeGuest } from './rights.ts'
import type { Server, Stage } from './stage.ts'
import { openStreamClient } from './streams.ts'

/** Reads that make sure a feed is cached. */
const USES = 3

/** Milliseconds until a stream ends after its credentials are revoked through the other instance; null if it does not end in time. */
export const untilStreamEnds = async (stage: Stage, withinMs: number): Promise<number | null> => {
  const guest = await makeGuest(stage)
  const ear = await openStreamClient(stage.there, guest.phone)
  const own = callerOf(stage.here.base, guest.basic)
  await own.call('DELETE', `/account/application-passwords/${guest.phoneId}`)
  own.close()
  const begun = performance.now()
  while (!ear.refused.has(401) && performance.now() - begun < withinMs) await pause(10)
  const ended = ear.refused.has(401)
  await ear.stop()
  return ended ? performance.now() - begun : null
}

/** Whether a rename through one instance is immediately visible at the other. */
export const isRenamedAtOnce = async (stage: Stage): Promise<boolean> => {
  const { id, username, basic } = await makeGuest(stage)
  const own = callerOf(stage.here.base, basic)
  const feed = made(await own.call('POST', '/feeds', { message: `Of ${id}` })).id
  const shown = async ({ admin }: Server) => (await admin.call('GET', `/feeds/${feed}/by-id`)).body?.data?.xprofile?.display_name
  for (let i = 0; i < USES; i++) await shown(stage.there)
  const name = `Renamed ${id}`
  await own.call('POST', `/profile/${username}`, { display_name: name })
  own.close()
  return (await shown(stage.there)) === name
}
