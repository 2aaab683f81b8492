import { createHistogram } from './histogram.ts'
import { type Job, type Report, TIMEOUT_MS, WINDOW_MS } from './job.ts'
import { type Crowd, mixOf } from './mix.ts'
import { type Answer, openWire, type WireClient } from './wire-client.ts'

/**
 * A separate process that sends requests, so that it slows neither the server nor its measurement. It receives the crowd first, then one
 * job at a time.
 */
const TICK_MS = 2
const AT_ONCE = 100
const HELLO = Buffer.from('GET /health/live HTTP/1.1\r\nhost: load\r\n\r\n')

const crowd = JSON.parse(process.argv[2] ?? '') as Crowd
const port = Number(new URL(crowd.origin).port)
const request = mixOf(crowd)
let asked = 0

const isServed = ({ status }: Answer) => (status >= 200 && status < 300) || status === 304
const isRefused = ({ status, retryAfter }: Answer) => (status === 429 || status === 503) && retryAfter

const createNotes = () => {
  const [served, refused, lately] = [createHistogram(), createHistogram(), createHistogram()]
  const failed: Record<string, number> = {}
  const windows: { at: number; count: number; p99: number }[] = []
  const look = () => {
    const { count, p99 } = lately.times()
    windows.push({ at: Date.now(), count, p99 })
    lately.clear()
  }
  let looking: NodeJS.Timeout
  let begunAt = 0
  return {
    begin: () => {
      begunAt = Date.now()
      looking = setInterval(look, WINDOW_MS)
    },
    note: (kind: string, answer: Answer | null, ms: number) => {
      if (answer && isServed(answer)) {
        served.add(ms)
        lately.add(ms)
      } else if (answer && isRefused(answer)) refused.add(ms)
      else {
        const what = answer ? `${kind}: ${answer.status} ${answer.code}` : `${kind}: no answer`
        failed[what] = (failed[what] ?? 0) + 1
      }
    },
    end: (sent: number, seconds: number, unanswered: number): Report => {
      clearInterval(looking)
      return { sent, begunAt, seconds, served: served.times(), refused: refused.times(), failed, unanswered, windows }
    },
  }
}

const run = ({ rate, seconds, connections }: Job): Promise<Report> =>
  new Promise((resolve) => {
    const notes = createNotes()
    const { note, end } = notes
    const idle: WireClient[] = []
    const all = new Set<WireClient>()
    /** Due times of requests that found no free connection, and how many of them have been sent since. */
    const late: number[] = []
    let made = 0
    let begun = 0
    let [sent, answered, over] = [0, 0, false]

    const free = (): WireClient | undefined => {
      // The longest idle connection first, so that none reaches the server's idle timeout.
      for (let wire = idle.shift(); wire; wire = idle.shift()) if (wire.isOpen) return wire
      if (all.size >= connections) return undefined
      const wire: WireClient = openWire(port, () => all.delete(wire))
      all.add(wire)
      return wire
    }

    const finish = () => {
      clearInterval(ticking)
      for (const wire of all) wire.close()
      resolve(end(sent, (performance.now() - begun) / 1000, sent - answered))
    }

    const ask = (wire: WireClient, due: number) => {
      const { kind, bytes } = request(asked++)
      wire.send(bytes, (answer) => {
        answered += 1
        note(kind, answer, performance.now() - due)
        if (over && answered === sent) return finish()
        const waited = late[made]
        if (waited === undefined && (rate > 0 || over)) return idle.push(wire)
        const next = wire.isOpen ? wire : free()
        if (!next) return
        if (waited === undefined) sent += 1
        else made += 1
        ask(next, waited ?? performance.now())
      })
    }

    const tick = () => {
      const elapsed = performance.now() - begun
      if (elapsed > seconds * 1000 + TIMEOUT_MS) return finish()
      if (over) return
      if (elapsed >= seconds * 1000) {
        over = true
        if (answered === sent) finish()
        return
      }
      const due = rate > 0 ? Math.floor((elapsed / 1000) * rate) : Math.max(sent, connections)
      while (sent < due) {
        const at = rate > 0 ? begun + (sent * 1000) / rate : performance.now()
        const wire = free()
        sent += 1
        if (wire) ask(wire, at)
        else late.push(at)
      }
    }
    let ticking: NodeJS.Timeout
    /** Connects everything before the start: a server accepts few connections at a time, and only response times are measured. */
    const open = async () => {
      while (all.size < connections) {
        const some = Array.from({ length: Math.min(AT_ONCE, connections - all.size) }, () => {
          const wire: WireClient = openWire(port, () => all.delete(wire))
          all.add(wire)
          return wire
        })
        await Promise.all(some.map((wire) => new Promise((answered) => wire.send(HELLO, answered))))
        idle.push(...some)
      }
    }
    void open().then(() => {
      begun = performance.now()
      notes.begin()
      ticking = setInterval(tick, TICK_MS)
    })
  })

process.on('message', (job: Job) => void run(job).then((report) => process.send?.(report)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
