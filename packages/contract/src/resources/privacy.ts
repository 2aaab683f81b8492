import { route } from '../route.ts'
import { Datetime, dataOf, Id, Message, messageAnd, named, nullable, oneOf, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

/** What happens to the feeds and comments of a deleted account. */
export const DELETION_CONTENTS = ['anonymise', 'remove'] as const
export type DeletionContent = (typeof DELETION_CONTENTS)[number]
export const EXPORT_STATUSES = ['pending', 'ready', 'failed', 'expired'] as const
/** Number of days for which an export can be downloaded. */
export const EXPORT_DAYS = 7
/** Maximum number of exports that a member can request per day. */
export const MAX_EXPORTS_PER_DAY = 3

export const DataExport = named('DataExport', {
  id: Id,
  user_id: Id,
  status: oneOf(EXPORT_STATUSES),
  size: nullable(Type.Integer({ minimum: 0, description: 'Size of the export in bytes; null until it is ready.' })),
  created_at: Datetime,
  completed_at: nullable(Datetime),
  expires_at: nullable(Datetime),
  download_url: nullable(
    Type.String({ description: 'URL of the export, which requires the credentials of its owner; null if it cannot be downloaded.' }),
  ),
})

const Content = Type.Optional(
  oneOf(DELETION_CONTENTS, {
    default: 'anonymise',
    description:
      'What happens to the content: `anonymise` keeps published feeds and comments as those of a deleted member; `remove` deletes them.',
  }),
)

export const privacy = {
  requestExport: route({
    method: 'POST',
    path: '/account/export',
    access: 'member',
    summary: 'Request a data export',
    description: `Creates a ZIP file with all data that is stored about the caller as JSON, their files and an HTML page for reading. It is created in the background, one at a time and at most ${MAX_EXPORTS_PER_DAY} per day; an email says when it is ready. It can be downloaded for ${EXPORT_DAYS} days.`,
    response: messageAnd(DataExport),
    status: 201,
    errors: ['conflict', 'rate_limit_exceeded'],
  }),
  exports: route({
    method: 'GET',
    path: '/account/exports',
    access: 'member',
    summary: 'List data exports',
    response: dataOf(Type.Array(DataExport)),
  }),
  export: route({
    method: 'GET',
    path: '/account/exports/{export_id}',
    access: 'member',
    summary: 'Get a data export',
    params: pathId('export_id'),
    response: dataOf(DataExport),
    errors: ['export_not_found'],
  }),
  deleteAccount: route({
    method: 'DELETE',
    path: '/account',
    access: 'member',
    summary: 'Delete the account',
    description:
      'Requires the account password, even with an application password. The account stops working immediately; its data is removed in the background. An email to its address confirms the deletion.',
    body: Type.Object({
      current_password: Type.String({ description: 'The account password.', examples: ['Quiet-river-7431'] }),
      content: Content,
    }),
    response: Message,
    errors: ['wrong_password', 'last_admin', 'rate_limit_exceeded'],
  }),
  exportMember: route({
    method: 'POST',
    path: '/members/{user_id}/export',
    access: 'admin',
    summary: 'Request a data export for a member',
    description: 'Only the member can download the export. The request is recorded in the audit log.',
    params: pathId('user_id'),
    response: messageAnd(DataExport),
    status: 201,
    errors: ['user_not_found', 'conflict'],
  }),
  deleteMember: route({
    method: 'DELETE',
    path: '/members/{user_id}',
    access: 'admin',
    summary: 'Delete a member’s account',
    description: 'Works like the deletion by its owner, without a password. It is recorded in the audit log.',
    params: pathId('user_id'),
    body: Type.Object({ content: Content }),
    response: messageAnd(Type.Object({ id: Id, content: oneOf(DELETION_CONTENTS) })),
    errors: ['user_not_found', 'rest_forbidden', 'last_admin'],
  }),
} as const
