import { appendFileSync } from 'node:fs'

/** What proves more the more often it is done is done so many times over: LYCEUM_TEST_SOAK, else once. */
export const SOAK = Math.max(1, Number(process.env['LYCEUM_TEST_SOAK']) || 1)

/**
 * Tells what a harness has found, for the evidence: `kills=200 acknowledged=104,812 lost=0`. `npm run soak` collects the figures in the file that
 * LYCEUM_TEST_FIGURES names; otherwise they are only printed.
 */
export const tell = (figures: Readonly<Record<string, number | string>>): void => {
  const text = Object.entries(figures)
    .map(([name, value]) => `${name}=${typeof value === 'number' ? value.toLocaleString('en') : value}`)
    .join(' ')
  const file = process.env['LYCEUM_TEST_FIGURES']
  if (file) appendFileSync(file, `${text}\n`)
  process.stdout.write(`  figures: ${text}\n`)
}
