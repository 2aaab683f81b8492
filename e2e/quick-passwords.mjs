// Loaded before the server that journeys use: a password costs as little there as in other tests, where it takes a quarter of a second each time.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { ...options, N: 16 }, done)
syncBuiltinESMExports()
