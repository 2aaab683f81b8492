import { ARCHIVE_KINDS, type ArchiveKind } from '@lyceum/contract/archive'
import type { Source } from '@lyceum/importers'
import { dataLocationOf } from '../../../server/src/cli/bootstrap.ts'
import type { Services } from '../../../server/src/core/context.ts'
import { type Database, isServed, statement, statementExists, statementValues } from '../../../server/src/db/index.ts'
import { rebuildRollups } from '../../../server/src/modules/analytics/index.ts'
import { Interrupted } from '../bulk/write-pacing.ts'
import { registerAliases } from './finish/aliases.ts'
import { keepFormerPictures } from './finish/former-pictures.ts'
import { completeCourses } from './finish/learning.ts'
import { completePoints } from './finish/points.ts'
import { completeProfiles } from './finish/profiles.ts'
import { resolveTexts } from './finish/unresolved.ts'
import { importAgain } from './import-kind.ts'
import { courses } from './kinds/courses.ts'
import { IMPORTS } from './kinds/index.ts'
import { lessons } from './kinds/lessons.ts'
import { spaces } from './kinds/spaces.ts'
import { ImportRefused } from './mapping.ts'
import { type Run, startRun } from './run.ts'
import type { Imported, ImportOptions } from './types.ts'

/** Source name of Lyceum archives, whose ids are globally unique. */
const WITH_UNIQUE_IDS = 'lyceum'

// Further rows of the import map: the sites of imported records, and a mark of an unfinished import.
const sitesOf = statementValues<string>(`select foreign_id from import_map where source = $1 and kind = 'site' order by foreign_id`)
const addSite = statement(
  `insert into import_map (source, kind, foreign_id, hash, fingerprint) values ($1, 'site', $2, '', '') on conflict (source, kind, foreign_id) do nothing`,
)
const isUnfinished = statementExists(`select 1 as one from import_map where source = $1 and kind = 'unfinished' limit 1`)
const addMark = statement(
  `insert into import_map (source, kind, foreign_id, hash, fingerprint) values ($1, 'unfinished', '-', '', '') on conflict (source, kind, foreign_id) do nothing`,
)
const removeMark = statement(`delete from import_map where source = $1 and kind = 'unfinished'`)

const siteOf = (origin: string): string => (URL.parse(origin)?.host ?? origin).toLowerCase().replace(/^www\./, '')

/** @throws ImportRefused if records of another site were imported under this source name, because their ids would conflict */
const checkSite = async ({ read }: Database, name: string, source: Source): Promise<void> => {
  if (source.name === WITH_UNIQUE_IDS || source.origins.length === 0) return
  const known = await sitesOf(read, [name])
  const own = source.origins.map(siteOf)
  if (known.length === 0 || known.some((site) => own.includes(site))) return
  throw new ImportRefused(
    `${name} already has records of ${known.join(', ')}; use --as NAME to import ${own[0]} under another name, or --as ${name} if it is the same site at a new URL`,
  )
}

/** With fewer changes, the server updates the rollups itself. */
const MANY_ROWS = 5000
/** Rollup rows per write if no server is running. */
const ROLLUPS_PER_WRITE = 10_000

const finish = async (run: Run, written: number): Promise<void> => {
  const { services } = run
  await completeProfiles(run)
  await importAgain(run, spaces)
  await importAgain(run, courses)
  await importAgain(run, lessons)
  await run.endTexts()
  await completeCourses(run)
  await resolveTexts(run, 'posts')
  await resolveTexts(run, 'comments')
  await keepFormerPictures(run)
  await completePoints(run)
  if (written >= MANY_ROWS)
    await rebuildRollups(services, () => run.options.signal?.aborted !== true, run.beside ? undefined : ROLLUPS_PER_WRITE)
  run.checkSignal()
}

const importKinds = async (run: Run, totals: Partial<Record<ArchiveKind, number>>): Promise<void> => {
  const { only } = run.options
  for (const kind of ARCHIVE_KINDS) {
    if (only && !only.has(kind)) continue
    await IMPORTS[kind](run, totals[kind])
    if (kind === 'people' && !run.isDry) await registerAliases(run)
  }
}

/**
 * Imports records that are new, or that changed at the source but not in this community. It can be stopped at any time: the next
 * import continues. No notifications are sent.
 * @throws ImportRefused
 */
export const importSource = async (services: Services, source: Source, options: ImportOptions = {}): Promise<Imported> => {
  const { database, config } = services
  const name = options.as ?? source.name
  if (options.as === undefined) await checkSite(database, name, source)
  const beside = await isServed(dataLocationOf(config))
  if (!beside) database.prepareForLoad()
  const run = await startRun(services, source, { name, beside, options })
  const { report } = run
  const written = () => Object.values(report.counts()).reduce((sum, { imported, changed }) => sum + imported + changed, 0)
  let complete = true
  try {
    const wasUnfinished = await isUnfinished(database.read, [name])
    if (!run.isDry)
      await database.write(async (db) => {
        for (const origin of source.origins) await addSite(db, [name, siteOf(origin)])
        await addMark(db, [name])
      })
    await importKinds(run, await source.counts())
    if (!run.isDry) {
      if (wasUnfinished || written() > 0) {
        options.onCompleting?.()
        await finish(run, wasUnfinished ? MANY_ROWS : written())
      }
      await database.write((db) => removeMark(db, [name]))
    }
  } catch (error) {
    // A stopped source throws its own kind of error.
    if (!(error instanceof Interrupted) && options.signal?.aborted !== true) throw error
    complete = false
  } finally {
    await run.close()
  }
  return { complete, source: name, counts: report.counts(), left_out: await source.leftOut(), spaces: report.spaces() }
}
