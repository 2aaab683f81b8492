import { stat } from 'node:fs/promises'
import { isAddress } from '../../http.ts'
import { UnreadableSource } from '../../source.ts'
import { fileType } from '../open-file.ts'
import { uploadsInFolder } from './folder.ts'
import type { Uploads } from './model.ts'
import { noFiles, uploadsOfSite } from './site.ts'
import { uploadsInTar } from './tar.ts'
import { uploadsInZip } from './zip.ts'

export interface UploadsOptions {
  /** Directory for temporary files; defaults to the system's. */
  readonly directory?: string
  /** Path of the uploads folder below a site URL. */
  readonly siteFolder?: string
}

/** Empty uploads. */
export const noUploads: Uploads = { open: async () => null, list: noFiles, close: async () => {} }

/** Opens uploads from a folder, a `.tar`, `.tar.gz` or `.zip` file, or a site URL. */
export const openUploads = async (
  place: string,
  { directory, siteFolder = 'wp-content/uploads' }: UploadsOptions = {},
): Promise<Uploads> => {
  if (isAddress(place)) return uploadsOfSite(place, siteFolder)
  const stats = await stat(place).catch(() => null)
  if (!stats) throw new UnreadableSource(`${place}: there is no such file or folder.`)
  if (stats.isDirectory()) return uploadsInFolder(place)
  return (await fileType(place)) === 'zip' ? uploadsInZip(place, directory) : uploadsInTar(place, directory)
}
