import { EDIT_REASON } from '../constants.ts'
import { Type } from '../typebox.ts'
import { Anything, Datetime, Id, named, nullable, oneOf } from './common.ts'
import { Xprofile } from './xprofile.ts'

/** For edits of another member's content; ignored if the author edits. */
export const EditReason = Type.Optional(
  nullable(
    Type.String({
      maxLength: EDIT_REASON.max,
      description: `Reason for editing another member’s content, ${EDIT_REASON.min} to ${EDIT_REASON.max} characters, shown to the author. Default: “${EDIT_REASON.standard}”`,
    }),
  ),
)

/** What a revision records. A field of a feed that is content must be here. */
const content = {
  title: Type.String({ description: 'The title; empty for comments.' }),
  message: Type.String({ description: 'The text, as submitted by the author.' }),
  content_type: oneOf(['text', 'markdown', 'html', 'document', 'survey', 'video', 'audio']),
  meta: Anything,
}

export type RevisedField = keyof typeof content
export const REVISED_FIELDS = Object.keys(content) as readonly RevisedField[]

/** Content before an edit by a moderator. `editor` is null for the author, since moderators stay anonymous to them. */
export const ContentRevision = named('ContentRevision', {
  id: Id,
  ...content,
  reason: Type.String({ description: 'Reason for the edit.' }),
  editor: nullable(Xprofile),
  created_at: Datetime,
})
