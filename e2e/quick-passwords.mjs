// Loaded before the server of the end-to-end tests. Lowers the scrypt cost; otherwise each password takes a quarter of a second.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { ...options, N: 16 }, done)
syncBuiltinESMExports()
