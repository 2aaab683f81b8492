import { join } from 'node:path'
import { recordSchema } from '../packages/harnesses/recorded/record.ts'

// Records the schema and a sample community of this version as fixtures for upgrade tests of later versions.

console.log(`recorded ${await recordSchema(join(import.meta.dirname, '../packages/server/test-support/recorded-schemas'))}`)
