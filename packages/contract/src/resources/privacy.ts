import { route } from '../route.ts'
import { Datetime, dataOf, Id, Message, messageAnd, named, nullable, oneOf, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

/** What becomes of the feeds and comments of an account that is deleted. */
export const DELETION_CONTENTS = ['anonymise', 'remove'] as const
export type DeletionContent = (typeof DELETION_CONTENTS)[number]
export const EXPORT_STATUSES = ['pending', 'ready', 'failed', 'expired'] as const
/** How long an archive can be downloaded. */
export const EXPORT_DAYS = 7
/** Archives that a member may ask for in a day. */
export const EXPORTS_A_DAY = 3

export const DataExport = named('DataExport', {
  id: Id,
  user_id: Id,
  status: oneOf(EXPORT_STATUSES),
  size: nullable(Type.Integer({ minimum: 0, description: 'Bytes of the archive' })),
  created_at: Datetime,
  completed_at: nullable(Datetime),
  expires_at: nullable(Datetime),
  download_url: nullable(
    Type.String({ description: 'Where the member, signed in or with an application password, fetches the archive; null: nowhere' }),
  ),
})

const Content = Type.Optional(
  oneOf(DELETION_CONTENTS, {
    default: 'anonymise',
    description: '`anonymise`: published feeds and comments stay, as those of a deleted member; `remove`: they are deleted',
  }),
)

export const privacy = {
  requestExport: route({
    method: 'POST',
    path: '/account/export',
    access: 'member',
    summary: 'Ask for an archive of everything that is stored about the caller',
    description: `A zip file of JSON, the caller’s files and a page to read it with. It is made in the background, one at a time and ${EXPORTS_A_DAY} a day at most; a mail tells when it is ready. It can be downloaded for ${EXPORT_DAYS} days.`,
    response: messageAnd(DataExport),
    status: 201,
    errors: ['conflict', 'rate_limit_exceeded'],
  }),
  exports: route({
    method: 'GET',
    path: '/account/exports',
    access: 'member',
    summary: 'List the caller’s archives, newest first',
    response: dataOf(Type.Array(DataExport)),
  }),
  export: route({
    method: 'GET',
    path: '/account/exports/{export_id}',
    access: 'member',
    summary: 'Get one of the caller’s archives',
    params: pathId('export_id'),
    response: dataOf(DataExport),
    errors: ['export_not_found'],
  }),
  deleteAccount: route({
    method: 'DELETE',
    path: '/account',
    access: 'member',
    summary: 'Delete the caller’s account for good',
    description:
      'Takes the account password, also where the request comes with an application password. The account cannot be used from that moment on; what belongs to it is removed in the background. A mail to its address confirms it.',
    body: Type.Object({
      current_password: Type.String({ description: 'The account password', examples: ['Quiet-river-7431'] }),
      content: Content,
    }),
    response: Message,
    errors: ['wrong_password', 'last_admin', 'rate_limit_exceeded'],
  }),
  exportMember: route({
    method: 'POST',
    path: '/members/{user_id}/export',
    access: 'admin',
    summary: 'Have an archive made for a member',
    description: 'It is the member’s: nobody else can download it. It is recorded in the audit log.',
    params: pathId('user_id'),
    response: messageAnd(DataExport),
    status: 201,
    errors: ['user_not_found', 'conflict'],
  }),
  deleteMember: route({
    method: 'DELETE',
    path: '/members/{user_id}',
    access: 'admin',
    summary: 'Delete somebody’s account for good',
    description: 'The same as when its owner deletes it, without a password. It is recorded in the audit log.',
    params: pathId('user_id'),
    body: Type.Object({ content: Content }),
    response: messageAnd(Type.Object({ id: Id, content: oneOf(DELETION_CONTENTS) })),
    errors: ['user_not_found', 'rest_forbidden', 'last_admin'],
  }),
} as const
