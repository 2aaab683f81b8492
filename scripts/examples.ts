import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMount } from '../packages/server/src/http/pipeline/route-handlers.ts'
import { MODULES } from '../packages/server/src/modules/index.ts'
import { recordExamples } from '../packages/server/test-support/api-examples/index.ts'
import { errorsPage } from './errors-page.ts'

// Generates the examples of the OpenAPI document, recorded from a real server, and the page of error codes.
// With --check it writes nothing and exits with 1 if a file is outdated or a mounted route has no example.

const root = join(import.meta.dirname, '..')
const check = process.argv.includes('--check')

const examples = await recordExamples()
const files = {
  'packages/contract/src/generated/examples.json': `${JSON.stringify(examples, null, 1)}\n`,
  'docs/errors.md': errorsPage(),
}

const problems: string[] = []
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path)
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) problems.push(`${path} is outdated: run "npm run examples"`)
}

const { mount, mounted } = createMount()
for (const module of MODULES) module.mount?.(mount)
for (const { id } of mounted) if (!examples[id]) problems.push(`${id} has no example: add one in packages/server/test-support/api-examples`)

for (const problem of problems) console.error(problem)
console.log(`${Object.keys(examples).length} of ${mounted.length} operations have an example`)
process.exitCode = problems.length > 0 ? 1 : 0
