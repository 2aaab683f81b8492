import { join } from 'node:path'
import { recordSchema } from '../packages/harnesses/recorded/record.ts'

// Records the tables of this version, with a community in them, as the fixtures that later versions are upgraded from in tests.

console.log(`recorded ${await recordSchema(join(import.meta.dirname, '../packages/server/test-support/recorded-schemas'))}`)
