import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into a server before its own code (`node --import`): once the file that LYCEUM_TEST_SYNCS_FAIL names is there, bringing data to the
 * disk fails as on a broken one.
 */
const signal = process.env['LYCEUM_TEST_SYNCS_FAIL'] ?? ''
const { fdatasync, fdatasyncSync } = fs

const failure = () => Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', errno: -5, syscall: 'fdatasync' })

fs.fdatasync = Object.assign(
  (descriptor: number, done: fs.NoParamCallback) => {
    if (fs.existsSync(signal)) setImmediate(done, failure())
    else fdatasync(descriptor, done)
  },
  { __promisify__: fdatasync.__promisify__ },
)
fs.fdatasyncSync = (descriptor) => {
  if (fs.existsSync(signal)) throw failure()
  fdatasyncSync(descriptor)
}
syncBuiltinESMExports()
