import { MEDIA_TYPES, type MediaType } from '@lyceum/contract'

/** How a file of each type ends, whatever it was called. */
export const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
}

/** An animated PNG is one to everybody who cannot show it moving. */
const SAME: Readonly<Record<string, MediaType>> = { 'image/apng': 'image/png' }

const isTaken = (type: string): type is MediaType => (MEDIA_TYPES as readonly string[]).includes(type)

/** What a file holds, by its content; null where it is nothing that is taken. */
export const detectType = async (path: string): Promise<MediaType | null> => {
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path).catch(() => undefined)
  const type = found ? (SAME[found.mime] ?? found.mime) : ''
  return isTaken(type) ? type : null
}

/** Shown inside a page; everything else is saved by browsers. */
export const isShown = (type: string): boolean => type.startsWith('image/') || type.startsWith('video/')

const LONGEST_NAME = 100

/** A name as it can stand in addresses, in headers and on any disk, ending as its type does. */
export const safeName = (given: string, type: MediaType): string => {
  const base = given.split(/[/\\]/).at(-1) ?? ''
  const plain = base
    .normalize('NFC')
    // As browsers write them in a form.
    .replace(/%(?:22|0d|0a)/gi, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}<>:"|?*%#;]/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replace(/^[. ]+|[. ]+$/g, '')
  const short = [...plain].slice(0, LONGEST_NAME).join('').trim()
  return `${short || 'file'}.${EXTENSIONS[type]}`
}
