import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into a server before its own code (`node --import`): writes down each sync of the log that LYCEUM_TEST_LOG names: when it had been
 * done, and how long the log was when it began and when it had been done. With LYCEUM_TEST_SYNCS_LIE nothing is synced, and all are told that it was.
 */
const log = process.env['LYCEUM_TEST_LOG'] ?? ''
const lies = process.env['LYCEUM_TEST_SYNCS_LIE'] === 'on'
const { fdatasync, fdatasyncSync } = fs

const size = () => fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0
const note = (from: number) => fs.appendFileSync(`${log}.syncs`, `${process.hrtime.bigint()} ${lies ? 0 : from} ${size()}\n`)

fs.fdatasync = Object.assign(
  (descriptor: number, done: fs.NoParamCallback) => {
    const from = size()
    fdatasync(descriptor, (error) => {
      note(from)
      done(error)
    })
  },
  { __promisify__: fdatasync.__promisify__ },
)
fs.fdatasyncSync = (descriptor) => {
  const from = size()
  fdatasyncSync(descriptor)
  note(from)
}
syncBuiltinESMExports()
