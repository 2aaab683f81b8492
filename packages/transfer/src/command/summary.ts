import { textTable } from '../../../server/src/cli/table.ts'
import type { Imported, ReportLine } from '../import/index.ts'

const WHO = {
  public: 'everyone',
  private: 'its members; others know that it exists',
  secret: 'its members',
} as const

const whoSees = (privacy: string): string => WHO[privacy as keyof typeof WHO] ?? privacy

const audiences = ({ spaces }: Imported): string =>
  textTable(
    ['SPACE', 'PRIVACY', 'WHO SEES ITS CONTENT', 'MEMBERS', 'REQUESTS', 'POSTS'],
    spaces.map(({ title, privacy, source_privacy: before, into, left_out, members, pending, posts }) => [
      into === null ? title : `${title} (${into})`,
      left_out ? '-' : privacy === before ? privacy : `${privacy} (was ${before})`,
      left_out ? 'nobody: the space is excluded' : whoSees(privacy),
      ...[members, pending, posts].map(String),
    ]),
  )

const MOST_LINES = 20

/** Formats the result of an import. `lines`: the first report lines; `all`: the total number of lines. */
export const summaryOf = (
  imported: Imported,
  { isDry, lines, all }: { isDry: boolean; lines: readonly ReportLine[]; all: number },
): string => {
  const rows = Object.entries(imported.counts).map(([kind, counts]) => [
    kind,
    ...[counts.total, counts.imported, counts.unchanged, counts.changed, counts.skipped, counts.failed].map(String),
  ])
  const shown = lines.filter(({ outcome }) => outcome !== 'noted').slice(0, MOST_LINES)
  const leftOut = Object.entries(imported.left_out).filter(([, count]) => count > 0)
  return [
    textTable(['RECORDS', 'TOTAL', 'IMPORTED', 'UNCHANGED', 'CHANGED', 'SKIPPED', 'FAILED'], rows),
    isDry && imported.spaces.length > 0 ? `\n${audiences(imported)}` : '',
    shown.length > 0 ? `\n${shown.map(({ kind, id, outcome, reason }) => `${outcome}: ${kind} ${id}: ${reason}\n`).join('')}` : '',
    all > shown.length ? `${all} report lines in total; use --report FILE to write all of them.\n` : '',
    leftOut.length > 0 ? `Not imported: ${leftOut.map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`).join(', ')}.\n` : '',
    !imported.complete
      ? 'Stopped before the end. The imported data is consistent; run the command again to continue.\n'
      : isDry
        ? 'Nothing was written.\n'
        : 'Done. No notifications were sent.\n',
  ].join('')
}
