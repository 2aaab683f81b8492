import { runCommand } from './program.ts'
import { processTerminal } from './terminal.ts'

// What a community keeps is for its owner's eyes.
process.umask(0o077)

// A reader that has seen enough (lyceum doctor | head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

const code = await runCommand(process.argv.slice(2), processTerminal)
// A server that started well stays; everything else has ended.
if (code !== null) process.exit(code)
