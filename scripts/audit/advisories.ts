import { type Lockfile, neededBut } from './lockfile.ts'

export type Advice =
  /** The registry responded with these advisories. */
  | { readonly answered: true; readonly findings: readonly string[]; readonly accepted: readonly string[] }
  /** The registry did not respond. */
  | { readonly answered: false; readonly why: string }

const SERIOUS = new Set(['moderate', 'high', 'critical'])

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Titles and URLs of the advisories; other entries of `via` are names of affected packages. */
const reasonsOf = (via: unknown): string =>
  (Array.isArray(via) ? via : [via])
    .map((one) => (typeof one === 'string' ? `through ${one}` : [fieldsOf(one)['title'], fieldsOf(one)['url']].filter(Boolean).join(' ')))
    .join('; ')

/**
 * Parses the output of `npm audit --json`. A finding is accepted if only packages in `accepted` need the package, which no
 * server runs.
 */
export const readAdvice = (output: string, lockfile: Lockfile, accepted: ReadonlySet<string>): Advice => {
  const report = fieldsOf(parsed(output))
  if (typeof report['vulnerabilities'] !== 'object' || report['vulnerabilities'] === null || report['auditReportVersion'] === undefined)
    return { answered: false, why: String(report['message'] ?? fieldsOf(report['error'])['summary'] ?? 'its answer is no report') }
  const needed = neededBut(lockfile, accepted)
  const findings: string[] = []
  const known: string[] = []
  for (const [name, value] of Object.entries(fieldsOf(report['vulnerabilities']))) {
    const { severity, via, nodes } = fieldsOf(value)
    if (!SERIOUS.has(String(severity))) continue
    const line = `${name} (${severity}): ${reasonsOf(via)}`
    const isNeeded = !Array.isArray(nodes) || nodes.length === 0 || nodes.some((node) => needed.has(String(node)))
    if (isNeeded) findings.push(line)
    else known.push(line)
  }
  return { answered: true, findings, accepted: known }
}
