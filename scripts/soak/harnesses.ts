/** One harness: files of tests that are run for much longer than in `npm test`, and tell figures. */
export interface Harness {
  readonly name: string
  /** What it shows, for the page of evidence. */
  readonly shows: string
  /** Paths of test files, or beginnings of them. */
  readonly files: readonly string[]
  /** Projects of vitest: `unit` runs once, the others are databases. */
  readonly on: readonly ('unit' | 'sqlite' | 'postgres')[]
  /** How many times over what proves more the more often it is done. */
  readonly times: number
}

const BOTH = ['sqlite', 'postgres'] as const
const TEST = 'packages/server/test'

export const HARNESSES: readonly Harness[] = [
  {
    name: 'crash',
    shows: 'A server that is killed under 64 writers loses and doubles nothing that it acknowledged, and serves again in seconds',
    files: [`${TEST}/crash/crash.test.ts`],
    on: BOTH,
    times: 67,
  },
]
