import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type Meta, mergeMeta } from '../../../../server/src/modules/feeds/meta.ts'
import { isShown } from '../../../../server/src/modules/media/types.ts'
import { filePath } from '../../../../server/src/modules/media/view.ts'
import type { Found } from '../lookups.ts'
import type { Run } from '../run.ts'
import { fileUrl } from './files.ts'
import { accepted, urlOf } from './values.ts'

type Attached = Pick<ArchiveRecord<'comments'>, 'media' | 'gif' | 'preview' | 'meta'>

const MAX_FILES = 20

/** Attached files, GIF and preview of a record in the format of `meta`, links to files that are not displayed, and the keys of all files. */
export const attachmentsOf = (
  run: Run,
  { media = [], gif, preview, meta = {} }: Attached,
  files: ReadonlyMap<string, Found['media']>,
  notes: string[],
): { readonly meta: Meta; readonly keys: readonly string[]; readonly append: string } => {
  const all = media.flatMap((id) => files.get(id) ?? [])
  const known = all.slice(0, MAX_FILES)
  if (known.length < media.length) notes.push(`${media.length - known.length} of its files were not imported`)
  // Only Lyceum sources attach documents; for others, the text gets links to them.
  const attached = known.filter(({ file_type }) => run.name === 'lyceum' || isShown(file_type))
  const items = attached.map((file) => ({
    ...{ id: file.id, url: fileUrl(run, file), type: file.file_type.split('/')[0] ?? '' },
    ...(file.width !== null && file.height !== null && { width: file.width, height: file.height }),
  }))
  const linked = known.filter((file) => !attached.includes(file))
  return {
    append: linked.map((file) => `\n\n[${file.file_name.replace(/[[\]\\]/g, '')}](${filePath(file)})`).join(''),
    meta: {
      ...meta,
      ...(items.length > 0 && { media_items: items }),
      ...(gif && urlOf(gif.url) && { gif }),
      ...(preview && urlOf(preview.url) && { preview: { ...preview, ...(preview.image && { image: urlOf(preview.image) }) } }),
    },
    keys: known.map(({ key }) => key),
  }
}

/** The keys of `meta` that the API accepts. */
export const validMeta = (given: Meta, notes: string[]): Meta => {
  let merged: Meta = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue
    const next = accepted(() => mergeMeta(merged, { [key]: value }))
    if (next === undefined) notes.push(`its ${key} was dropped: it is not valid`)
    else merged = next
  }
  return merged
}
