import { satisfies } from 'semver'
import type { Advice } from './advisories.ts'
import { type Lockfile, nameOf, neededBut } from './lockfile.ts'

/** Advisories of a certain date, for use without access to the registry. */
export interface Bundled {
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly advisories: readonly {
    readonly package: string
    /** Affected versions as a semver range. */
    readonly vulnerable: string
    readonly severity: string
    readonly title: string
    readonly id: string
  }[]
}

const DAY_MS = 24 * 3600 * 1000
/** Maximum age of the list. */
export const MOST_DAYS = 180
const SERIOUS = new Set(['moderate', 'high', 'critical'])

export const isTooOld = ({ date }: Bundled, now: Date): boolean => now.getTime() - new Date(date).getTime() > MOST_DAYS * DAY_MS

/** Findings for the locked packages; those that only `accepted` packages need are separate. */
export const adviceOfBundled = ({ advisories }: Bundled, lockfile: Lockfile, accepted: ReadonlySet<string>): Advice => {
  const needed = neededBut(lockfile, accepted)
  const findings: string[] = []
  const known: string[] = []
  for (const [path, { version = '' }] of Object.entries(lockfile.packages))
    for (const { package: name, vulnerable, severity, title, id } of advisories)
      if (nameOf(path) === name && SERIOUS.has(severity) && satisfies(version, vulnerable, { includePrerelease: true })) {
        const list = needed.has(path) ? findings : known
        list.push(`${name} ${version} (${severity}): ${title} https://github.com/advisories/${id}`)
      }
  return { answered: true, findings, accepted: known }
}
