import pg from 'pg'

const CHANNEL = 'lyceum_events'
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 10_000

export const SIGNAL = `notify ${CHANNEL}`

/**
 * Listens on a connection of its own and comes back when that breaks. Behind a pool that hands sessions around nothing is ever heard; whoever
 * listens must look now and then by himself.
 */
export const listenTo = (url: string, heard: () => void): (() => Promise<void>) => {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  let delay = FIRST_RETRY_MS

  const retry = (broken: pg.Client) => {
    if (client !== broken || stopped) return
    client = null
    void broken.end().catch(() => {})
    timer = setTimeout(connect, delay)
    timer.unref()
    delay = Math.min(LONGEST_RETRY_MS, delay * 2)
  }

  const connect = () => {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'lyceum listener',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    })
    client = fresh
    fresh.on('error', () => retry(fresh))
    fresh.on('end', () => retry(fresh))
    fresh.on('notification', heard)
    fresh
      .connect()
      .then(() => fresh.query(`listen ${CHANNEL}`))
      .then(() => {
        delay = FIRST_RETRY_MS
        // Something may have been said while nobody listened.
        heard()
      })
      .catch(() => retry(fresh))
  }
  connect()

  return async () => {
    stopped = true
    if (timer) clearTimeout(timer)
    const last = client
    client = null
    await last?.end().catch(() => {})
  }
}
