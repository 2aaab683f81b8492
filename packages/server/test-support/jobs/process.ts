import { openTrial, tracingRegistry, writeNumber } from './trial.ts'

/** Writes increasing numbers until it is killed, prints each acknowledged one, and runs jobs meanwhile. */
const IN_FLIGHT = 32

const [deliveries = '', from = '0'] = process.argv.slice(2)
const trial = await openTrial(process.env as Record<string, string>, tracingRegistry(deliveries))
trial.worker.start()

let next = Number(from)
const writeOn = async (): Promise<never> => {
  for (;;) {
    const n = next++
    await writeNumber(trial, n)
    process.stdout.write(`${n}\n`)
  }
}
await Promise.all(Array.from({ length: IN_FLIGHT }, writeOn))
