import { ARCHIVE_ITEMS, ARCHIVE_KINDS, type ArchiveKind } from '@lyceum/contract/archive'
import { ImportRefused } from '../import/index.ts'

const GROUPS: Readonly<Record<string, readonly ArchiveKind[]>> = ARCHIVE_ITEMS

/** Parses `--only`: single kinds, or groups such as `posts`, which includes votes and reports. @throws ImportRefused */
export const kindsOf = (names: string): Set<ArchiveKind> => {
  const chosen = new Set<ArchiveKind>()
  for (const name of names.split(',').map((one) => one.trim())) {
    const kinds = Object.hasOwn(GROUPS, name) ? GROUPS[name] : ARCHIVE_KINDS.filter((kind) => kind === name)
    if (!kinds?.length) throw new ImportRefused(`unknown kind ${name || '""'}; use some of ${Object.keys(GROUPS).join(', ')}`)
    for (const kind of kinds) chosen.add(kind)
  }
  return chosen
}
