import { runCommand } from '../src/cli/program.ts'
import { processTerminal } from '../src/cli/terminal.ts'

/** Fills an empty community alone, however small it is to be, and is gone as soon as so much of it is there: `reactions 100 %`. */
const [last = '', ...args] = process.argv.slice(2)
const err = (text: string) => {
  if (text.startsWith(last)) process.kill(process.pid, 'SIGKILL')
}
process.exit((await runCommand(['demo', ...args], { ...processTerminal, many: 1, err })) ?? 0)
