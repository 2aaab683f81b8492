import { Type } from '../typebox.ts'
import { Anything, Datetime, DatetimeInput, Id, named, nullable, oneOf } from './common.ts'

/** Most files of a feed or comment, and most options of a survey. */
const META_MEDIA = 20
const SURVEY_OPTIONS = 20

const optional = Type.Optional

// ---- survey ------------------------------------------------------------------------------------------------

const SHOW_RESULTS = ['always', 'after_vote', 'never'] as const
const question = Type.String({ minLength: 1, maxLength: 500, description: 'The question.' })
const allowMultiple = Type.Boolean({ default: false, description: 'Whether a voter can choose several options.' })
const showResults = oneOf(SHOW_RESULTS, { default: 'always', description: 'When voters see the results.' })
const option = {
  slug: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,100}$', description: 'Identifier of the option, unique in the survey.' }),
  label: Type.String({ minLength: 1, maxLength: 200, description: 'Text of the option.' }),
}

const SurveyInput = named('SurveyInput', {
  question,
  options: Type.Array(Type.Object(option), { minItems: 2, maxItems: SURVEY_OPTIONS, description: 'The options to choose from.' }),
  allow_multiple: optional(allowMultiple),
  show_results: optional(showResults),
  end_date: optional(nullable(Type.Unsafe<string>({ ...DatetimeInput, description: 'Time when voting ends, in UTC; null for never.' }))),
})

const Survey = named('Survey', {
  question,
  options: Type.Array(
    Type.Object({
      ...option,
      votes: nullable(Type.Integer({ minimum: 0, description: 'Number of votes; null while the results are hidden.' })),
      percentage: nullable(Type.Number({ description: 'Share of the voters in percent; null while the results are hidden.' })),
    }),
    { description: 'The options with their results.' },
  ),
  allow_multiple: allowMultiple,
  show_results: showResults,
  end_date: optional(Type.Unsafe<string>({ ...Datetime, description: 'Time when voting ends, in UTC; absent for never.' })),
  total_votes: nullable(Type.Integer({ minimum: 0, description: 'Number of voters; null while the results are hidden.' })),
  voted: Type.Array(Type.String(), { description: 'Slugs of the options that the caller has chosen.' }),
  is_closed: Type.Boolean({ description: 'Whether voting has ended.' }),
})

// ---- media -------------------------------------------------------------------------------------------------

const url = (description: string) => Type.String({ description })
const pixels = (side: string) => Type.Integer({ minimum: 0, maximum: 100_000, description: `${side} in pixels.` })

const GifAttachment = named('GifAttachment', {
  id: optional(Type.String({ description: 'Id of the GIF at the provider, at most 200 characters.' })),
  url: url('URL of the GIF (http or https), such as `images.original.url` of a search result.'),
  title: optional(Type.String({ description: 'Alternative text, at most 500 characters.' })),
  width: optional(pixels('Width')),
  height: optional(pixels('Height')),
})

const texts = {
  media: { type: 'Media type, such as image/png.', title: 'Title of the file.', alt: 'Alternative text.' },
  preview: {
    title: 'Title of the page.',
    description: 'Description of the page.',
    type: 'Kind of the page.',
    provider: 'Host of the URL; set by the server.',
    author_name: 'Name of the author of the page.',
  },
} as const
const size = { width: 'Width in pixels.', height: 'Height in pixels.' }
const uploadId = optional(Type.Unsafe<number | string>({ type: ['integer', 'string'], description: 'Id of the upload.' }))
const fileUrl = url('URL of the file (http or https), such as `file_url` of an upload.')
const pageUrl = url('URL of the linked page (http or https).')
const image = optional(url('URL of an image (http or https); may be empty.'))

type Texts = Readonly<Record<string, string>>
const stringsOf = (names: Texts) =>
  Object.fromEntries(Object.entries(names).map(([name, description]) => [name, optional(Type.String({ description }))]))
const numbersOf = (names: Texts) =>
  Object.fromEntries(Object.entries(names).map(([name, description]) => [name, optional(Type.Number({ description }))]))
/** The server stores any scalar in these fields, whatever clients should send. */
const scalarsOf = (names: Texts) =>
  Object.fromEntries(
    Object.entries(names).map(([name, description]) => [
      name,
      optional(Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], description })),
    ]),
  )

const MediaAttachmentInput = named('MediaAttachmentInput', { url: fileUrl, id: uploadId, ...stringsOf(texts.media), ...numbersOf(size) })
const MediaAttachment = named('MediaAttachment', {
  url: fileUrl,
  ...scalarsOf({ id: 'Id of the upload.', ...texts.media, ...size }),
})

const PreviewAttachmentInput = named('PreviewAttachmentInput', { url: pageUrl, image, ...stringsOf(texts.preview), ...numbersOf(size) })
const PreviewAttachment = named('PreviewAttachment', { url: pageUrl, image, ...scalarsOf({ ...texts.preview, ...size }) })

// ---- meta --------------------------------------------------------------------------------------------------

const MEDIA = { maxItems: META_MEDIA, description: `Images, videos and audio files, at most ${META_MEDIA}.` }
const IMAGES = { maxItems: META_MEDIA, description: `URLs of images, at most ${META_MEDIA}.` }
const imageUrl = url('URL of an image (http or https).')
const open = (title: string) => ({ additionalProperties: true, title })

const attachments = {
  gif: optional(GifAttachment),
  media_items: optional(Type.Array(MediaAttachment, MEDIA)),
  media_images: optional(Type.Array(Type.String(), IMAGES)),
  preview: optional(PreviewAttachment),
}
const attachmentInputs = {
  gif: optional(nullable(GifAttachment)),
  media_items: optional(
    nullable(
      Type.Array(Type.Unsafe<unknown>({ anyOf: [MediaAttachmentInput, { type: 'string', description: 'URL of the file.' }] }), MEDIA),
    ),
  ),
  media_images: optional(nullable(Type.Array(Type.String(), IMAGES))),
  preview: optional(nullable(PreviewAttachmentInput)),
}
const topicIds = Type.Array(Id, { maxItems: 50, description: 'Ids of topics; the field `topics` of the feed is preferred.' })

/** A free-form object for the server, which checks its known keys itself; the API document shows `shape`. */
const documented = (shape: object, description: string) =>
  Type.Unsafe<Record<string, unknown>>({ ...Anything, 'x-shape': shape, description })

const FREE = 'Other keys are stored as sent; at most 16 KB of JSON and 5 levels in total.'

export const FeedMeta = documented(
  Type.Object(
    {
      survey: optional(Survey),
      ...attachments,
      comments_disabled: optional(Type.Boolean({ description: 'Whether comments are closed.' })),
      topic_ids: optional(topicIds),
    },
    open('FeedMeta'),
  ),
  'Survey, attachments and additional data of the feed.',
)

export const FeedMetaInput = documented(
  Type.Object(
    {
      survey: optional(nullable(SurveyInput)),
      ...attachmentInputs,
      comments_disabled: optional(nullable(Type.Boolean({ description: 'Whether to close comments.' }))),
      topic_ids: optional(nullable(topicIds)),
    },
    open('FeedMetaInput'),
  ),
  `Survey, attachments and additional data of the feed. ${FREE}`,
)

/** A list, or a single item, for the server, which checks it itself. */
const loose = (types: readonly string[], shape: object, description: string) =>
  Type.Unsafe<unknown>({ type: [...types, 'null'], 'x-shape': shape, description })

/** Keys of the meta that can also be sent next to it. */
export const besideMeta = {
  survey: optional(nullable(documented(SurveyInput, 'An alias of `meta.survey`.'))),
  media_images: optional(
    loose(
      ['array'],
      Type.Array(Type.Unsafe<unknown>({ anyOf: [imageUrl, Type.Object({ url: imageUrl })] }), IMAGES),
      'An alias of `meta.media_images`.',
    ),
  ),
  media: optional(
    loose(
      ['array', 'object'],
      Type.Unsafe<unknown>({ anyOf: [MediaAttachmentInput, Type.Array(MediaAttachmentInput, MEDIA)] }),
      'An alias of `meta.media_items`; can be a single item.',
    ),
  ),
}

export const CommentMeta = documented(Type.Object(attachments, open('CommentMeta')), 'Attachments and additional data of the comment.')

export const CommentMetaInput = documented(
  Type.Object(attachmentInputs, open('CommentMetaInput')),
  `Attachments and additional data of the comment. ${FREE}`,
)
