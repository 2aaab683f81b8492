import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readAdvice } from './audit/advisories.ts'
import { adviceOfBundled, type Bundled, isTooOld, MOST_DAYS } from './audit/bundled.ts'
import { directDependencies, type Lockfile, lockfileProblems } from './audit/lockfile.ts'
import { ACCEPTED, RULES } from './audit/rules.ts'

const WAIT_MS = 60_000
const ARGUMENTS = ['audit', '--json', '--audit-level=moderate', '--fetch-retries=0', '--fetch-timeout=20000']

/** The output of npm, even if it exits with an error. */
const askNpm = (): string => {
  const { npm_execpath: npm } = process.env
  const [program, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  try {
    return execFileSync(program, [...before, ...ARGUMENTS], { encoding: 'utf8', timeout: WAIT_MS, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // With findings it exits with 1 and prints them to standard output.
    return String((error as { stdout?: unknown }).stdout ?? '')
  }
}

const lockfile = JSON.parse(readFileSync(resolve('package-lock.json'), 'utf8')) as Lockfile
const bundled = JSON.parse(readFileSync(new URL('./audit/known-advisories.json', import.meta.url), 'utf8')) as Bundled
const isCi = !['', '0', 'false'].includes(process.env['CI'] ?? '')
const problems = lockfileProblems(lockfile, RULES)
for (const problem of problems) console.error(`lockfile  ${problem}`)

const accepted = new Set(Object.keys(ACCEPTED))
const asked = readAdvice(askNpm(), lockfile, accepted)
if (!asked.answered) {
  console.error(`!!! The registry did not answer npm audit: ${asked.why}`)
  console.error(`!!! The dependencies are compared with the bundled advisories of ${bundled.date}. Update them and run`)
  console.error('!!! "npm run audit:check" where https://registry.npmjs.org can be reached before a release.')
}
// In CI, the check must not pass with outdated advisories.
const outdated = !asked.answered && isTooOld(bundled, new Date())
if (outdated) console.error(`advisories  the bundled list of ${bundled.date} is older than ${MOST_DAYS} days`)
const advice = asked.answered ? asked : adviceOfBundled(bundled, lockfile, accepted)
const findings = advice.answered ? advice.findings : []
for (const finding of findings) console.error(`advisory  ${finding}`)
if (advice.answered) for (const finding of advice.accepted) console.log(`accepted, since no server runs it: ${finding}`)
const packages = Object.keys(lockfile.packages).length
console.log(
  `Dependencies: ${packages} packages locked, ${directDependencies(lockfile).length} of ${RULES.mostDirect} direct ones, ` +
    `${problems.length} problems of the lockfile, ${findings.length} advisories (${asked.answered ? 'npm audit' : `bundled list of ${bundled.date}`})`,
)
process.exitCode = problems.length + findings.length > 0 || (outdated && isCi) ? 1 : 0
