import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, ask } from './ask.ts'
import { openSlowReaders, SLOW_READERS } from './slow-readers.ts'
import { LARGE_PICTURE, type Stage } from './stage.ts'

const FILLER = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(2 ** 20)])

export interface Abuser {
  readonly name: string
  /** Starts it; the returned function stops it. */
  readonly start: (stage: Stage) => () => void
}

/** Pause after a refusal: floods of cheap requests are covered by the load harness. */
const REFUSED_MS = 200

/** Sends requests on this many connections, each as soon as the last response arrives. */
const flood = (connections: number, once: (stage: Stage, n: number, agent: Agent) => Promise<Answer>) => (stage: Stage) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let goes = true
  let n = 0
  const one = async () => {
    while (goes) {
      const { status } = await once(stage, n++, agent)
      if (status === 0 || status >= 300) await pause(REFUSED_MS)
    }
  }
  for (let i = 0; i < connections; i++) void one()
  return () => {
    goes = false
    agent.destroy()
  }
}

const register = (stage: Stage, n: number, agent: Agent) => {
  const username = `flood${process.pid}x${n}`
  const body = { username, email: `${username}@example.org`, password: 'Quiet-river-7431', display_name: username }
  return ask(stage, 'POST', '/auth/register', { body, agent, from: '10.1.0.1' })
}

const uploadAs = (person: number) => (stage: Stage, _n: number, agent: Agent) => {
  const authorization = stage.abusers[person] ?? ''
  return ask(stage, 'POST', '/feeds/media-upload', { authorization, file: LARGE_PICTURE, agent })
}

const download = (person: number) => (stage: Stage, _n: number, agent: Agent) =>
  ask(stage, 'GET', `/${stage.files[person]}`, { authorization: stage.abusers[person] ?? '', agent })

/** Fills the disk if deleted files remain on it. */
const uploadAndDelete = async (stage: Stage, _n: number, agent: Agent): Promise<Answer> => {
  const authorization = stage.abusers[2] ?? ''
  const sent = await ask(stage, 'POST', '/feeds/media-upload', { authorization, file: FILLER, agent, wantsText: true })
  if (sent.status >= 300 || sent.status === 0) return sent
  return ask(stage, 'DELETE', `/media/${JSON.parse(sent.text).data.id}`, { authorization, agent })
}

/** Archives of one member, refused after the first few, and their list. */
const requestArchives = async (stage: Stage, n: number, agent: Agent): Promise<Answer> => {
  const authorization = stage.abusers[4 + (n % 4)] ?? ''
  await ask(stage, 'POST', '/account/export', { authorization, body: {}, agent })
  return ask(stage, 'GET', '/account/exports', { authorization, agent })
}

const listen = (stage: Stage) => {
  const sockets = Array.from({ length: 200 }, () => {
    const socket = connect({ port: stage.port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.pause()
    socket.write(`GET ${stage.crowd.root}/stream HTTP/1.1\r\nhost: load\r\nauthorization: ${stage.abusers[5]}\r\n\r\n`)
    return socket
  })
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

const readSlowly = (stage: Stage) => {
  const sockets = SLOW_READERS.flatMap((readers) => openSlowReaders(stage, readers, 20, 6))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

/** What one person, or one with several accounts, can do to degrade the service for everyone else. */
export const ABUSERS: readonly Abuser[] = [
  { name: 'registrations', start: flood(95, register) },
  {
    name: 'wrong passwords',
    start: flood(20, (stage, n, agent) => {
      const body = { login: `writer${20 + (n % 70)}`, password: `Wrong-river-${n}` }
      return ask(stage, 'POST', '/auth/login', { body, agent, from: `10.1.1.${n % 250}` })
    }),
  },
  { name: 'large uploads', start: flood(6, uploadAs(0)) },
  { name: 'large uploads of another', start: flood(6, uploadAs(1)) },
  {
    name: 'searches',
    start: flood(8, (stage, n, agent) =>
      ask(stage, 'GET', `/feeds?search=chapter+${n % 7}&per_page=100`, { authorization: stage.abusers[3] ?? '', agent }),
    ),
  },
  { name: 'downloads', start: flood(40, download(0)) },
  { name: 'downloads of another', start: flood(40, download(1)) },
  { name: 'deleted uploads', start: flood(6, uploadAndDelete) },
  { name: 'archives', start: flood(8, requestArchives) },
  { name: 'streams', start: listen },
  { name: 'slow readers', start: readSlowly },
]
