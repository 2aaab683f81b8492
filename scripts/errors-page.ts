import { api, ERRORS, type ErrorCode, type Routes } from '@lyceum/contract'
import { failuresOf, STATUS_TITLES } from '@lyceum/contract/openapi'

const MAX_NAMED = 6

const HEAD = `# Error codes

<!-- Written by \`npm run examples\` from packages/contract/src/errors.ts. -->

A failed request returns \`{"code": "…", "message": "…", "data": {"status": …}}\`. Use \`code\` in programs; the message is for people and can
change. \`data.field\` names the invalid parameter or field, \`data.errors\` contains a message for each invalid field of a body, \`data.retry_after\`
is the number of seconds to wait, and \`data.request_id\` is the id of the request in the server log.
`

const where = (users: readonly string[], operations: number) => {
  if (users.length === 0) return 'no specific operation'
  if (users.length === operations) return 'any operation'
  if (users.length > MAX_NAMED) return `${users.length} operations`
  return users.map((id) => `\`${id}\``).join(', ')
}

/** `docs/errors.md`: every error code with its status, its message and the operations that return it. */
export const errorsPage = (): string => {
  const operations = Object.entries(api as Record<string, Routes>).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ id: `${group}.${name}`, failures: failuresOf(route) })),
  )
  const usersOf = (status: number, code: ErrorCode) =>
    operations.filter(({ failures }) => failures.get(status)?.includes(code)).map(({ id }) => id)
  const rows = [
    { status: 401, code: 'rest_forbidden' as const, message: 'Authentication is required.' },
    ...(Object.keys(ERRORS) as ErrorCode[]).map((code) => ({ status: ERRORS[code][0], code, message: ERRORS[code][1] })),
  ]
  const sections = [...Map.groupBy(rows, (row) => row.status)]
    .sort(([a], [b]) => a - b)
    .map(([status, list]) => {
      const lines = list
        .toSorted((a, b) => (a.code < b.code ? -1 : 1))
        .map(({ code, message }) => `| \`${code}\` | ${message} | ${where(usersOf(status, code), operations.length)} |`)
      return `## ${status} – ${STATUS_TITLES[status] ?? 'Error'}\n\n| Code | Meaning | Where |\n|---|---|---|\n${lines.join('\n')}\n`
    })
  return [HEAD, ...sections].join('\n')
}
