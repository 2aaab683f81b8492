import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Preloaded into a server (`node --import`): records each sync of the log named by LYCEUM_TEST_LOG with its completion time and the length
 * of the log before and after. With LYCEUM_TEST_SYNCS_LIE it reports success without syncing.
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
