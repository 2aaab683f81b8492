import { ARCHIVE_ORIGIN } from '@lyceum/contract/archive'
import type { Db } from '../../../../server/src/db/index.ts'
import { newPathOf, redirectsOf } from '../../../../server/src/modules/redirects/index.ts'
import type { AddressReader } from './addresses.ts'
import type { NewAddress } from './write-text.ts'

export interface AddressContext {
  readonly read: Db
  /** Name of the source in the import map. */
  readonly source: string
  readonly reader: AddressReader
  /** Origin of this community. */
  readonly origin: string
}

/** The target of a source URL. */
export interface Target extends NewAddress {
  /** Key of the file at the URL. */
  readonly file: string | null
}

const OWN_FILE = /^\/media\/[0-9a-f]{32}\//

/** Targets of source URLs. URLs whose target is not imported are omitted. */
export const findAddresses = async (ctx: AddressContext, addresses: readonly string[]): Promise<Map<string, Target>> => {
  const { read, source, reader, origin } = ctx
  const paths = new Map(addresses.map((address) => [address, reader.paths(address)]))
  const rows = await redirectsOf(read, [...new Set([...paths.values()].flat())])
  const byPath = new Map(
    rows.flatMap((row) => {
      const path = row.source === source ? newPathOf(row) : null
      return path === null ? [] : [[row.path, { path, file: row.media_key }] as const]
    }),
  )
  const targets = new Map<string, Target>()
  for (const [address, candidates] of paths) {
    const isNeutral = address.startsWith(ARCHIVE_ORIGIN)
    const found = candidates.map((path) => byPath.get(path)).find((one) => one !== undefined)
    // Lyceum archives contain a placeholder instead of the community's origin.
    const path = found?.path ?? (isNeutral ? address.slice(ARCHIVE_ORIGIN.length) : undefined)
    if (path === undefined) continue
    const absolute = origin + path
    const file = found?.file ?? null
    // Images with relative URLs are not displayed, so files get absolute ones. Relative URLs in Lyceum archives are kept.
    const isFile = file !== null && !OWN_FILE.test(address)
    targets.set(address, { address: isNeutral || isFile ? absolute : path, absolute, file })
  }
  return targets
}
