import { processTerminal } from './terminal.ts'

// What a community keeps is for its owner's eyes.
process.umask(0o077)

// A reader that has seen enough (lyceum doctor | head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

const run = async (args: readonly string[]): Promise<number | null> => {
  if (args.length === 1 && args[0] === 'serve') return (await import('./serve.ts')).runServe(processTerminal)
  return (await import('./program.ts')).runCommand(args, processTerminal)
}

const code = await run(process.argv.slice(2))
// A server that started well stays; everything else has ended.
if (code !== null) process.exit(code)
