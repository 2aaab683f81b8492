import { route } from '../route.ts'
import { Count, Datetime, dataOf, Id, listOf, Message, messageAnd, named, nullable, oneOf, paging, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const MEDIA_SOURCES = ['feed', 'comment', 'profile', 'space', 'course', 'lesson'] as const
export type MediaSource = (typeof MEDIA_SOURCES)[number]

/** Accepted media types, detected from the content of a file. */
export const MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'application/pdf',
  'application/zip',
] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

const Url = Type.String({
  description: 'URL of the file; access requires credentials of a user who can see the object that the file belongs to.',
})
const Thumbnail = nullable(Type.String({ description: 'URL of a preview image of at most 400 pixels; null if there is none.' }))
const Pixels = nullable(Type.Integer({ minimum: 1, description: 'Size in pixels; null unless the file is an image.' }))
const Bytes = Type.Integer({ minimum: 0, description: 'Size of the stored file in bytes.' })

export const Upload = named('Upload', {
  id: Id,
  file_name: Type.String(),
  file_url: Url,
  file_type: Type.String({ examples: ['image/jpeg'] }),
  file_size: Bytes,
  width: Pixels,
  height: Pixels,
  thumbnail_url: Thumbnail,
  created_at: Datetime,
})

export const Media = named('Media', {
  id: Id,
  user_id: Id,
  file_name: Type.String(),
  file_path: Type.String({ description: 'Path of `file_url`.' }),
  file_url: Url,
  file_type: Type.String(),
  file_size: Bytes,
  width: Pixels,
  height: Pixels,
  thumbnail_url: Thumbnail,
  object_source: oneOf(MEDIA_SOURCES),
  object_id: nullable(Type.Integer({ minimum: 1, description: 'The object that the file belongs to; null if it is not attached.' })),
  status: oneOf(['uploaded', 'active', 'deleted'], {
    description:
      '`uploaded`: nothing refers to the file yet; it is removed after two hours. `active`: it is attached. `deleted`: it is removed.',
  }),
  created_at: Datetime,
  uploader: Type.Object({ id: Id, display_name: Type.String(), avatar: Type.String() }),
})

const MediaItem = named('MediaItem', {
  id: Id,
  file_name: Type.String(),
  file_url: Url,
  file_type: Type.String(),
  thumbnail_url: Thumbnail,
  created_at: Datetime,
})

export const Preview = named('LinkPreview', {
  type: oneOf(['link', 'photo', 'video', 'rich']),
  provider_name: Type.String({
    description: 'Host of the URL, or the name of a known video site; never taken from the page.',
  }),
  provider_url: Type.String(),
  title: Type.String(),
  description: Type.String(),
  author_name: Type.String(),
  thumbnail_url: Type.String(),
  html: Type.String({ description: 'HTML of the player of a known video site; otherwise empty.' }),
  width: nullable(Count),
  height: nullable(Count),
})

const MediaId = pathId('media_id')

export const media = {
  upload: route({
    method: 'POST',
    path: '/feeds/media-upload',
    access: 'member',
    writeLimit: 'uploads',
    summary: 'Upload a file',
    description:
      'Images are rotated upright, stripped of metadata and re-encoded. MP4 videos lose their metadata and all tracks except video and audio. Audio files (MP3, M4A, Ogg with Vorbis or Opus, WAV) lose their tags. The file is visible only to its uploader until a feed, comment, profile or space refers to its `file_url`; without a reference it is removed after two hours.',
    consumes: 'multipart',
    body: Type.Object({
      object_source: Type.Optional(oneOf(MEDIA_SOURCES, { description: 'Type of the object that the file is for; default: `feed`.' })),
      object_id: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'Id of the object that the file is for.' })),
    }),
    response: messageAnd(Upload),
    status: 201,
    errors: ['missing_required_field', 'storage_quota_exceeded', 'file_too_large', 'invalid_file_type'],
  }),
  get: route({
    method: 'GET',
    path: '/media/{media_id}',
    access: 'member',
    summary: 'Get a file',
    params: MediaId,
    response: dataOf(Media),
    errors: ['media_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/media/{media_id}',
    access: 'member',
    summary: 'Delete a file',
    description: 'Available to the uploader and to moderators of the object that it belongs to.',
    params: MediaId,
    response: Message,
    errors: ['media_not_found', 'rest_forbidden'],
  }),
  ofProfile: route({
    method: 'GET',
    path: '/profile/{username}/media',
    access: 'member',
    summary: 'List files of a member',
    params: Type.Object({ username: Type.String() }),
    query: Type.Object({
      ...paging(20),
      file_type: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Only files of this media type, such as `image/png`, or of this class, such as `image`.',
        }),
      ),
      object_source: Type.Optional(oneOf(MEDIA_SOURCES)),
    }),
    response: listOf(MediaItem),
    errors: ['user_not_found', 'invalid_username'],
  }),
  oembed: route({
    method: 'GET',
    path: '/feeds/oembed',
    access: 'member',
    summary: 'Get a link preview',
    query: Type.Object({ url: Type.String({ description: 'The URL to preview (http or https).' }) }),
    response: dataOf(Preview),
    errors: ['invalid_url', 'preview_not_found'],
  }),
  removePreview: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}/media-preview',
    access: 'member',
    summary: 'Remove the preview of a feed',
    description: 'Removes the link or GIF preview. Available to the author and to moderators.',
    params: pathId('feed_id'),
    response: Message,
    errors: ['feed_not_found', 'rest_forbidden'],
  }),
} as const
