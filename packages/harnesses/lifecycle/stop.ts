import { randomInt } from 'node:crypto'
import { type Env, lyceum } from '#test/command.ts'
import { filePart, form, picture } from '#test/media.ts'
import type { Received } from '#test/webhook-receiver.ts'
import type { Seen } from '../io-faults/clients.ts'
import type { Person } from '../kit/people.ts'
import { type Exchange, openLine } from './line.ts'
import { createTotals, note, requestUntilStopped, type Totals } from './load.ts'
import { leftoversOf, type Serving, startServing } from './process.ts'

export type Signals = readonly ('SIGTERM' | 'SIGINT' | 'SIGKILL')[]

/** The result of stopping a server under load. */
export interface Stopped {
  readonly signals: Signals
  readonly code: number | null
  readonly ms: number
  readonly met: Totals
  /** The upload of which only half had been sent. */
  readonly upload: Exchange
  /** Whether the stream ended with a farewell message. */
  readonly farewell: boolean
  readonly left: readonly string[]
  /** Exit code of a backup started at that moment. */
  readonly backup: number | null
}

/** Maximum duration of a shutdown in ms. */
const GRACE_MS = 10_000

/** Violations during a shutdown. */
export const faultsOf = ({ signals, code, ms, met, upload, farewell, left, backup }: Stopped): string[] => {
  const { dropped, cut } = met.outcomes
  return [
    ...(code === 0 ? [] : [`the exit code is ${code} after ${signals}`]),
    ...(ms > GRACE_MS ? [`it took ${Math.round(ms)} ms`] : []),
    ...(dropped > 0 ? [`${dropped} requests were dropped`] : []),
    ...(cut > 0 ? [`${cut} answers were cut off`] : []),
    ...(upload.outcome === 'answered' && upload.status < 300 ? [] : [`the upload is ${upload.outcome}: ${upload.status}`]),
    ...(farewell ? [] : ['the stream ended without a farewell']),
    ...(backup === 0 ? [] : [`the backup ended with ${backup}`]),
    ...left,
    ...met.odd,
  ]
}

/** Opens the stream; returns a promise of its end and whether a reason was sent. */
const listen = async ({ base }: Serving, { authorization }: Person) => {
  const answer = await fetch(`${base}/stream`, { headers: { authorization } })
  const reader = answer.body?.getReader()
  if (answer.status !== 200 || !reader) throw new Error(`the stream is answered with ${answer.status}`)
  let text = ''
  const whole = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return true
      text += Buffer.from(value).toString()
    }
  })().catch(() => false)
  return { ended: whole.then((ended) => ended && /event: closed\ndata: .*stopping/.test(text)) }
}

export interface Trial {
  readonly env: Env
  readonly people: readonly Person[]
  readonly seen: Seen
  /** Resolves when the receiver got the message of this trial, which it must still acknowledge. */
  readonly delivered: () => Promise<{ got: Received; answer: () => void }>
}

/** Responses before the signal is sent. */
const UNTIL = [100, 300] as const

const makeAndDelete = async (base: string, { authorization }: Person): Promise<void> => {
  const line = openLine(base, authorization)
  const made = await line.send('POST', '/feeds', { body: JSON.stringify({ message: 'This goes again' }) })
  await line.send('DELETE', `/feeds/${made.body.data.id}`)
  line.close()
}

/** Starts a server, puts it under load, and signals it to stop. */
export const stopUnderLoad = async (trial: Trial, signals: Signals, backupFile: string): Promise<Stopped> => {
  const { env, people, seen } = trial
  const [admin, listener] = people as [Person, Person]
  const server = await startServing(env)
  const met = createTotals()
  const { ended: farewell } = await listen(server, listener)
  let left = randomInt(...UNTIL)
  let busy = () => {}
  const isBusy = new Promise<void>((resolve) => {
    busy = resolve
  })
  let tellAnnounced = () => {}
  const announced = new Promise<void>((resolve) => {
    tellAnnounced = resolve
  })
  const using = requestUntilStopped(server.base, people, met, seen, () => {
    left -= 1
    if (left === 0) busy()
    if (met.announced > 0) tellAnnounced()
  })
  void using.then(tellAnnounced)
  await isBusy

  const delivering = trial.delivered()
  await makeAndDelete(server.base, admin)
  const delivery = await delivering
  const line = openLine(server.base, admin.authorization)
  const { type, bytes } = form([filePart(await picture('png', 64, 64), 'file', 'half.png')])
  // On its own connection, which already carried a response, like the other clients' connections.
  note(met, 'first', await line.send('GET', '/feeds'))
  const uploading = line.send('POST', '/feeds/media-upload', { type, body: bytes, half: announced })
  const backup = lyceum(env, ['backup', backupFile])

  const begun = performance.now()
  for (const [i, signal] of signals.entries()) {
    // A second signal arrives during the shutdown.
    if (i > 0) await announced
    server.signal(signal)
  }
  void farewell.then(() => delivery.answer())
  const code = await server.ended
  const ms = performance.now() - begun
  const upload = await uploading
  line.close()
  await using
  const [{ code: backupCode }, wasTold] = [await backup, await farewell]
  return { signals, code, ms, met, upload, farewell: wasTold, left: await restOf(env), backup: backupCode }
}

/** PostgreSQL notices a closed connection with a delay. */
const restOf = async (env: Env): Promise<string[]> => {
  const late = performance.now() + 2000
  for (;;) {
    const left = await leftoversOf(env)
    if (left.length === 0 || performance.now() > late) return left
  }
}
