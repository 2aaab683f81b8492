import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readAdvice } from './audit/advisories.ts'
import { directDependencies, type Lockfile, lockfileProblems } from './audit/lockfile.ts'
import { ACCEPTED, RULES } from './audit/rules.ts'

const WAIT_MS = 60_000
const ARGUMENTS = ['audit', '--json', '--audit-level=moderate', '--fetch-retries=0', '--fetch-timeout=20000']

/** What npm prints, whatever it thinks of it. */
const askNpm = (): string => {
  const { npm_execpath: npm } = process.env
  const [program, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  try {
    return execFileSync(program, [...before, ...ARGUMENTS], { encoding: 'utf8', timeout: WAIT_MS, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // It ends with 1 where it has found something, and says what on standard output.
    return String((error as { stdout?: unknown }).stdout ?? '')
  }
}

const lockfile = JSON.parse(readFileSync(resolve('package-lock.json'), 'utf8')) as Lockfile
const problems = lockfileProblems(lockfile, RULES)
for (const problem of problems) console.error(`lockfile  ${problem}`)

const advice = readAdvice(askNpm(), lockfile, new Set(Object.keys(ACCEPTED)))
if (!advice.answered) {
  console.error('!!! WEAKNESSES OF DEPENDENCIES WERE NOT LOOKED UP: the registry gave no answer to npm audit.')
  console.error(`!!! ${advice.why}`)
  console.error('!!! Run "npm run audit:check" where https://registry.npmjs.org can be reached before a release.')
} else {
  for (const finding of advice.findings) console.error(`advisory  ${finding}`)
  for (const finding of advice.accepted) console.log(`accepted, since no server runs it: ${finding}`)
}
const found = advice.answered ? advice.findings.length : 0
const packages = Object.keys(lockfile.packages).length
console.log(
  `Dependencies: ${packages} packages locked, ${directDependencies(lockfile).length} of ${RULES.mostDirect} direct ones, ` +
    `${problems.length} problems of the lockfile, ${advice.answered ? `${found} advisories` : 'advisories NOT LOOKED UP'}`,
)
process.exitCode = problems.length + found > 0 ? 1 : 0
