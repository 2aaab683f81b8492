import { route } from '../route.ts'
import { Count, Datetime, dataOf, Id, listOf, Message, messageAnd, named, nullable, oneOf, paging, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const MEDIA_SOURCES = ['feed', 'comment', 'profile', 'space', 'course', 'lesson'] as const
export type MediaSource = (typeof MEDIA_SOURCES)[number]

/** What can be uploaded; decided by what a file holds, not by its name. */
export const MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
  'application/pdf',
  'application/zip',
] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

const Url = Type.String({ description: 'Address of the file; needs the credentials of somebody who may see what it belongs to' })
const Thumbnail = nullable(Type.String({ description: 'Address of a picture of at most 400 pixels; null: there is none' }))
const Pixels = nullable(Type.Integer({ minimum: 1, description: 'In pixels; null unless it is an image' }))
const Bytes = Type.Integer({ minimum: 0, description: 'As it is stored, in bytes' })

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
  file_path: Type.String({ description: 'The path of file_url' }),
  file_url: Url,
  file_type: Type.String(),
  file_size: Bytes,
  width: Pixels,
  height: Pixels,
  thumbnail_url: Thumbnail,
  object_source: oneOf(MEDIA_SOURCES),
  object_id: nullable(Type.Integer({ minimum: 1, description: 'What it belongs to; null: nothing yet' })),
  status: oneOf(['uploaded', 'active', 'deleted'], {
    description: 'uploaded: nothing refers to it yet, and it is removed after two hours',
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
    description: 'The host that the address leads to, or the name of a known video site; never what the page claims',
  }),
  provider_url: Type.String(),
  title: Type.String(),
  description: Type.String(),
  author_name: Type.String(),
  thumbnail_url: Type.String(),
  html: Type.String({ description: 'A player of a known video site, else empty' }),
  width: nullable(Count),
  height: nullable(Count),
})

const MediaId = pathId('media_id')

export const media = {
  upload: route({
    method: 'POST',
    path: '/feeds/media-upload',
    access: 'member',
    pace: 'uploads',
    summary: 'Upload a file',
    description:
      'Images are turned upright, freed of what cameras write into them, and encoded anew. MP4 videos lose their metadata and all tracks but pictures and sound. The file belongs to its uploader alone until a feed, a comment, a profile or a space refers to its `file_url`; without that it is removed after two hours.',
    consumes: 'multipart',
    body: Type.Object({
      object_source: Type.Optional(oneOf(MEDIA_SOURCES, { description: 'What the file is meant for; feed unless said' })),
      object_id: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'Id of what the file is meant for' })),
    }),
    response: messageAnd(Upload),
    status: 201,
    errors: ['missing_required_field', 'storage_quota_exceeded', 'file_too_large', 'invalid_file_type'],
  }),
  get: route({
    method: 'GET',
    path: '/media/{media_id}',
    access: 'member',
    summary: 'One file with its uploader',
    params: MediaId,
    response: dataOf(Media),
    errors: ['media_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/media/{media_id}',
    access: 'member',
    summary: 'Delete a file',
    description: 'For its uploader and for moderators of what it belongs to.',
    params: MediaId,
    response: Message,
    errors: ['media_not_found', 'rest_forbidden'],
  }),
  ofProfile: route({
    method: 'GET',
    path: '/profile/{username}/media',
    access: 'member',
    summary: 'Files of a member that the caller may see, newest first',
    params: Type.Object({ username: Type.String() }),
    query: Type.Object({
      ...paging(20),
      file_type: Type.Optional(Type.String({ maxLength: 100, description: 'A type such as image/png, or its first half: image' })),
      object_source: Type.Optional(oneOf(MEDIA_SOURCES)),
    }),
    response: listOf(MediaItem),
    errors: ['user_not_found', 'invalid_username'],
  }),
  oembed: route({
    method: 'GET',
    path: '/feeds/oembed',
    access: 'member',
    summary: 'What an address leads to, for a preview',
    query: Type.Object({ url: Type.String({ description: 'http or https' }) }),
    response: dataOf(Preview),
    errors: ['invalid_url', 'preview_not_found'],
  }),
  removePreview: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}/media-preview',
    access: 'member',
    summary: 'Take the link or GIF preview off a feed',
    description: 'For the author and for moderators.',
    params: pathId('feed_id'),
    response: Message,
    errors: ['feed_not_found', 'rest_forbidden'],
  }),
} as const
