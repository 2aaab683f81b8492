import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Preloaded into a server (`node --import`): once the file named by LYCEUM_TEST_SYNCS_FAIL exists, every fsync fails as on a broken disk.
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
