import type { ArchiveKind } from '@lyceum/contract/archive'
import type { Source } from '@lyceum/importers'
import { nowOf } from '../../../server/src/core/clock.ts'
import type { Services } from '../../../server/src/core/context.ts'
import { createEarnings, type Earnings } from '../bulk/earned-points.ts'
import { createWritePacing, Interrupted, type WritePacing } from '../bulk/write-pacing.ts'
import { createDerived, type Derived } from './hashes.ts'
import { type Ids, inventIds, stockIds } from './ids.ts'
import { type Found, type FoundKind, findImported } from './lookups.ts'
import { type ResolvedMapping, resolveMapping } from './mapping.ts'
import { type Memory, rememberAll, rememberBatches } from './memory.ts'
import { createReport, type Report } from './report.ts'
import { type AddressReader, createAddressReader } from './texts/addresses.ts'
import { findAddresses, type Target } from './texts/find-addresses.ts'
import { type PreparedText, prepareTexts, type TextInput } from './texts/prepare-texts.ts'
import { startTextThread, type TextThread } from './texts/text-thread.ts'
import type { ImportOptions } from './types.ts'

/** State of a running import. */
export interface Run {
  readonly services: Services
  readonly source: Source
  /** Name of the source in the import map. */
  readonly name: string
  readonly isDry: boolean
  /** Whether a server is running. */
  readonly beside: boolean
  readonly now: string
  readonly mapping: ResolvedMapping
  readonly report: Report
  readonly derived: Derived
  readonly ids: Ids
  readonly pace: WritePacing
  readonly earnings: Earnings
  readonly addresses: AddressReader
  /** Rows of records that were imported or are being imported, by record id. */
  readonly find: <K extends FoundKind>(kind: K, ids: Iterable<string | null | undefined>) => Promise<Map<string, Found[K]>>
  readonly memory: Memory
  /** Resolves source URLs to their targets. */
  readonly targets: (addresses: readonly string[]) => Promise<Map<string, Target>>
  readonly texts: (inputs: readonly TextInput[]) => Promise<(PreparedText | null)[]>
  /** Stops the text thread until the next text. */
  readonly endTexts: () => Promise<void>
  readonly options: ImportOptions
  /** @throws Interrupted */
  readonly checkSignal: () => void
  readonly close: () => Promise<void>
}

const isId = (id: string | null | undefined): id is string => typeof id === 'string'

export const startRun = async (
  services: Services,
  source: Source,
  { name, beside, options }: { readonly name: string; readonly beside: boolean; readonly options: ImportOptions },
): Promise<Run> => {
  const { database, clock, keys } = services
  const isDry = options.dryRun === true
  const memory = isDry ? await rememberAll() : rememberBatches()
  const addresses = createAddressReader(source.origins)
  const places = { read: database.read, source: name, reader: addresses, origin: services.origin() }
  let thread: TextThread | null = null
  return {
    services,
    source,
    name,
    isDry,
    beside,
    now: nowOf(clock),
    mapping: await resolveMapping(database.read, options.mapping ?? {}),
    report: createReport(options.onLine ?? (() => {})),
    derived: createDerived(keys, name),
    ids: isDry ? inventIds() : stockIds(database),
    pace: createWritePacing({ beside, firstSize: options.firstSize }),
    earnings: await createEarnings(database.read),
    addresses,
    memory,
    find: async (kind, wanted) => {
      const ids = [...new Set([...wanted].filter(isId))]
      if (ids.length === 0) return new Map()
      const stored = await findImported(database.read, name, kind, ids)
      for (const [id, found] of await memory.find(kind, ids)) stored.set(id, found)
      return stored
    },
    targets: (wanted) => findAddresses(places, wanted),
    texts: (inputs) => {
      thread ??= startTextThread()
      return prepareTexts({ ...places, sourceOrigin: source.origins[0] ?? '', thread }, inputs)
    },
    endTexts: async () => {
      await thread?.stop()
    },
    options,
    checkSignal: () => {
      if (options.signal?.aborted) throw new Interrupted('stopped')
    },
    close: async () => {
      await thread?.stop()
      await memory.close()
    },
  }
}

export type { ArchiveKind }
