import { processTerminal } from './terminal.ts'

// Files that a command creates are readable by their owner only.
process.umask(0o077)

// A closed pipe (lyceum doctor | head) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

const run = async (args: readonly string[]): Promise<number | null> => {
  if (args.length === 1 && args[0] === 'serve') return (await import('./serve.ts')).runServe(processTerminal)
  return (await import('./program.ts')).runCommand(args, processTerminal)
}

const code = await run(process.argv.slice(2))
/** Waits until standard output is flushed: a pipe is written asynchronously and would lose the rest at exit. */
const written = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()))

// A running server keeps the process alive; every other command has ended.
if (code !== null) {
  await Promise.all([process.stdout, process.stderr].map(written))
  process.exit(code)
}
