import { appendFileSync } from 'node:fs'

/** Multiplier of repetitions, from LYCEUM_TEST_SOAK; 1 by default. */
export const SOAK = Math.max(1, Number(process.env['LYCEUM_TEST_SOAK']) || 1)

/**
 * Reports the results of a harness: `kills=200 acknowledged=104,812 lost=0`. `npm run soak` collects them in the file named by
 * LYCEUM_TEST_RESULTS; otherwise they are only printed.
 */
export const report = (results: Readonly<Record<string, number | string>>): void => {
  const text = Object.entries(results)
    .map(([name, value]) => `${name}=${typeof value === 'number' ? value.toLocaleString('en') : value}`)
    .join(' ')
  const file = process.env['LYCEUM_TEST_RESULTS']
  if (file) appendFileSync(file, `${text}\n`)
  process.stdout.write(`  results: ${text}\n`)
}
