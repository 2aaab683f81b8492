import { resolve } from 'node:path'
import { buildDocs } from './docs/build.ts'

// Builds the documentation site into `site/`, and exits with 1 if it has dead links, or pages that the search does not find.

const started = performance.now()
const { pages, problems } = await buildDocs(resolve('.'), resolve('site'))
for (const problem of problems) console.error(`docs  ${problem}`)
console.log(`Built ${pages} pages of documentation in ${((performance.now() - started) / 1000).toFixed(1)} s, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
