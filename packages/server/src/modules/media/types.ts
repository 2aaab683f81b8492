import { MEDIA_TYPES, type MediaType } from '@lyceum/contract'

/** File extension by type, whatever the uploaded name. */
export const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
}

/** APNG files are stored as PNG: clients without APNG support show the first frame. */
const ALIASES: Readonly<Record<string, MediaType>> = {
  'image/apng': 'image/png',
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
}

const isAccepted = (type: string): type is MediaType => (MEDIA_TYPES as readonly string[]).includes(type)

/** Detects a file's type by its content; null if the type is not accepted. */
export const detectType = async (path: string): Promise<MediaType | null> => {
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path).catch(() => undefined)
  const type = found ? (ALIASES[found.mime] ?? found.mime) : ''
  return isAccepted(type) ? type : null
}

/** Types shown inline; browsers save all others. */
export const isShown = (type: string): boolean => /^(?:image|video|audio)\//.test(type)

const MAX_NAME_LENGTH = 100

/** A name that is safe in URLs, in headers and on any file system, with the extension of its type. */
export const safeName = (given: string, type: MediaType): string => {
  const base = given.split(/[/\\]/).at(-1) ?? ''
  const plain = base
    .normalize('NFC')
    // Browsers percent-encode these characters in multipart forms.
    .replace(/%(?:22|0d|0a)/gi, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}<>:"|?*%#;]/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replace(/^[. ]+|[. ]+$/g, '')
  const short = [...plain].slice(0, MAX_NAME_LENGTH).join('').trim()
  return `${short || 'file'}.${EXTENSIONS[type]}`
}
