import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/** A thread that takes the log of a SQLite file into it when it is asked to; it never waits for writers or readers, and nobody for it. */
const connection = new Sqlite(String(workerData))
connection.pragma('synchronous = NORMAL')
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', (wish: unknown) => {
  if (wish === 'close') {
    connection.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(checkpoint.get())
})
