import { runCommand } from '../src/cli/program.ts'
import { processTerminal } from '../src/cli/terminal.ts'

/** Bulk-loads an empty community of any size and is killed when the progress reaches the given text, such as `reactions 100 %`. */
const [last = '', ...args] = process.argv.slice(2)
const err = (text: string) => {
  if (text.startsWith(last)) process.kill(process.pid, 'SIGKILL')
}
process.exit((await runCommand(['demo', ...args], { ...processTerminal, many: 1, err })) ?? 0)
