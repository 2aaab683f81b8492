import { route } from '../route.ts'
import { Anything, Datetime, Id, named, nullable, Pagination, paging } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-03-10'] }))
const Word = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))

const AuditObject = Type.Object({
  object_type: Type.String({ examples: ['user'] }),
  object_id: Id,
  title: Type.String({ description: 'Name, title or first words of the object.', examples: ['Inês Duarte'] }),
  url: Type.String({ description: 'URL of the object; empty if it has no page.' }),
})

export const AuditEntry = named('AuditEntry', {
  id: Id,
  action: Type.String({ description: 'The action that was performed.', examples: ['report.decided'] }),
  actor_id: nullable(Id),
  actor: Type.Unsafe<{ id: number; username: string; display_name: string; avatar: string } | null>({
    type: ['object', 'null'],
    description: 'The account that performed the action; null if it was the server or a deleted account.',
    properties: {
      id: Id,
      username: Type.String(),
      display_name: Type.String(),
      avatar: Type.String({ description: 'URL of the avatar; may be empty.' }),
    },
    required: ['id', 'username', 'display_name', 'avatar'],
  }),
  object_type: Type.String({ examples: ['report'] }),
  object_id: nullable(Id),
  details: Anything,
  objects: Type.Array(AuditObject, {
    description: 'The object and those that `details` refers to by id, with their current names. Deleted objects are omitted.',
  }),
  ip_address: Type.String({ description: 'IP address of the request; empty if the server performed the action.' }),
  request_id: Type.String(),
  created_at: Datetime,
})

export const SignInFailure = named('SignInFailure', {
  id: Id,
  user_id: nullable(Type.Unsafe<number>({ ...Id, description: 'The account that the attempt was for; null if no account has this name.' })),
  username: nullable(Type.String()),
  network: Type.String({
    description: 'Network that the attempt came from: the /24 of an IPv4 address or the /48 of an IPv6 address.',
    examples: ['203.0.113.0/24'],
  }),
  created_at: Datetime,
})

export const audit = {
  list: route({
    method: 'GET',
    path: '/admin/audit-log',
    access: 'admin',
    summary: 'List audit log entries',
    description: 'Newest first. Entries are only added, never changed or removed.',
    query: Type.Object({
      ...paging(20),
      actor_id: Type.Optional(Id),
      action: Word('Only entries with this action.'),
      object_type: Word('Only entries about objects of this type.'),
      object_id: Type.Optional(Id),
      date_from: Day('First day of the period, in UTC.'),
      date_to: Day('Last day of the period, in UTC.'),
    }),
    response: Type.Object({ entries: Type.Array(AuditEntry), pagination: Pagination }),
  }),
  signInFailures: route({
    method: 'GET',
    path: '/admin/sign-in-failures',
    access: 'admin',
    summary: 'List failed sign-ins',
    description:
      'Newest first. Entries are kept for 30 days, without the submitted credentials and without the last part of the IP address.',
    query: Type.Object({ ...paging(20), user_id: Type.Optional(Id) }),
    response: Type.Object({ failures: Type.Array(SignInFailure), pagination: Pagination }),
  }),
} as const
