import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/** Checkpoints the WAL of a SQLite file on request. Passive checkpoints wait for neither writers nor readers, and block none. */
const connection = new Sqlite(String(workerData))
connection.pragma('synchronous = NORMAL')
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', (command: unknown) => {
  if (command === 'close') {
    connection.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(checkpoint.get())
})
