import { resolve } from 'node:path'
import type { Command } from 'commander'
import { withCore } from './bootstrap.ts'
import { INTERRUPTED, interruption } from './interruption.ts'
import { textTable } from './table.ts'
import { printResult, type Terminal } from './terminal.ts'

interface Options {
  readonly space?: string
  readonly json?: true
}

const LINE_MS = 5000
const MOST_REASONS = 20

const reporter = (terminal: Terminal) => {
  let told = performance.now()
  return (kind: string, done: number) => {
    const now = performance.now()
    if (now - told < LINE_MS) return
    told = now
    terminal.err(`${kind}: ${done} records written\n`)
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`
const CONFIDENTIAL =
  'It contains email addresses, password hashes and everything that members wrote: store it where only you can read it.\n'

export const exportCommand = (program: Command, terminal: Terminal, end: (code: number) => void) =>
  program
    .command('export')
    .description('write the community as an archive, which "import lyceum" reads; the server may be running')
    .argument('<place>', 'a new or empty folder, or a new .tar.gz file')
    .option('--space <slug>', 'export only this space, without email addresses and passwords')
    .action(async (name: string, { space, json }: Options) => {
      const place = resolve(name)
      const { signal, forget } = interruption()
      const skipped: { kind: string; id: string; reason: string }[] = []
      try {
        await withCore(terminal, async ({ services }) => {
          // Only this command loads the code of exports.
          const { exportCommunity } = await import('@lyceum/transfer')
          const written = await exportCommunity(services, {
            place,
            ...(space !== undefined && { space }),
            signal,
            onProgress: reporter(terminal),
            onSkipped: (kind, row) => {
              if (skipped.length < MOST_REASONS) skipped.push({ kind, ...row })
            },
          })
          const rows = Object.entries(written.counts).map(([kind, count]) => [kind, String(count)])
          const { files, bytes } = written.media
          const left = skipped.map(({ kind, id, reason }) => `Left out: ${kind} ${id}: ${reason}\n`).join('')
          const more = written.skipped > skipped.length ? `Left out in total: ${written.skipped}\n` : ''
          const text = `${textTable(['RECORDS', 'COUNT'], rows)}${left}${more}${place}: the archive with ${files} files (${megabytes(bytes)}) is complete.\n${space === undefined ? CONFIDENTIAL : ''}`
          printResult(terminal, json, { place, space: space ?? null, ...written, reasons: skipped }, text)
        })
      } catch (error) {
        if (!signal.aborted) throw error
        terminal.err('lyceum: stopped; nothing was written\n')
        end(INTERRUPTED)
      } finally {
        forget()
      }
    })
