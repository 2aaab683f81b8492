import { route } from '../route.ts'
import { Anything, Datetime, Id, named, nullable, Pagination, paging } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-03-10'] }))
const Word = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))

const AuditObject = Type.Object({
  object_type: Type.String({ examples: ['user'] }),
  object_id: Id,
  title: Type.String({ description: 'Name, title or first words', examples: ['Inês Duarte'] }),
  url: Type.String({ description: 'Where it is shown; empty where it has no page of its own' }),
})

export const AuditEntry = named('AuditEntry', {
  id: Id,
  action: Type.String({ description: 'What was decided', examples: ['report.decided'] }),
  actor_id: nullable(Id),
  actor: Type.Unsafe<{ id: number; username: string; display_name: string; avatar: string } | null>({
    type: ['object', 'null'],
    description: 'Who decided; null: the server itself, or an account that is gone',
    properties: { id: Id, username: Type.String(), display_name: Type.String(), avatar: Type.String({ description: 'URL, may be empty' }) },
    required: ['id', 'username', 'display_name', 'avatar'],
  }),
  object_type: Type.String({ examples: ['report'] }),
  object_id: nullable(Id),
  details: Anything,
  objects: Type.Array(AuditObject, {
    description: 'The object, and what `details` name by their ids, as they are called now. What is gone is not among them.',
  }),
  ip_address: Type.String({ description: 'Where the request came from; empty for the server itself' }),
  request_id: Type.String(),
  created_at: Datetime,
})

export const SignInFailure = named('SignInFailure', {
  id: Id,
  user_id: nullable(Type.Unsafe<number>({ ...Id, description: 'The account that was meant; null: there is none of that name' })),
  username: nullable(Type.String()),
  network: Type.String({ description: 'Where it came from: /24 of an IPv4 address, /48 of an IPv6 address', examples: ['203.0.113.0/24'] }),
  created_at: Datetime,
})

export const audit = {
  list: route({
    method: 'GET',
    path: '/admin/audit-log',
    access: 'admin',
    summary: 'What those who run the community decided, newest first',
    description: 'Entries are added and never changed or removed.',
    query: Type.Object({
      ...paging(20),
      actor_id: Type.Optional(Id),
      action: Word('Exactly this action'),
      object_type: Word('Exactly this type'),
      object_id: Type.Optional(Id),
      date_from: Day('First day, UTC'),
      date_to: Day('Last day, UTC'),
    }),
    response: Type.Object({ entries: Type.Array(AuditEntry), pagination: Pagination }),
  }),
  signInFailures: route({
    method: 'GET',
    path: '/admin/sign-in-failures',
    access: 'admin',
    summary: 'Sign-ins that failed, newest first',
    description: 'Kept for 30 days, without what was typed and without the last part of the address.',
    query: Type.Object({ ...paging(20), user_id: Type.Optional(Id) }),
    response: Type.Object({ failures: Type.Array(SignInFailure), pagination: Pagination }),
  }),
} as const
