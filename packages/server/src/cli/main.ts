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
/** A pipe takes what it has room for; the rest would end with the process. */
const written = (stream: NodeJS.WriteStream) => new Promise<void>((done) => stream.write('', () => done()))

// A server that started well stays; everything else has ended.
if (code !== null) {
  await Promise.all([process.stdout, process.stderr].map(written))
  process.exit(code)
}
