import type { api, QueryOf } from '@lyceum/contract'
import { nowOf } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { type Db, type SignInFailureRow, selectPage, statement } from '../../db/index.ts'
import { wideNetworkOf } from '../../limits/ip-prefix.ts'

const insert = statement('insert into sign_in_failures (user_id, network, created_at) values ($1, $2, $3)')

/**
 * Records a failed sign-in: the account, if there is one, and the network (the IP address without its last part). Never records what was
 * entered. A failure to record does not fail the request.
 */
export const recordSignInFailure = async (services: Services, userId: number | null, ip: string): Promise<void> => {
  const { database, clock, log } = services
  const network = wideNetworkOf(ip)
  log.info({ event: 'sign_in_failed', user_id: userId, network }, 'sign-in failed')
  await database
    .write((db) => insert(db, [userId, network, nowOf(clock)]))
    .catch((error: unknown) => log.warn({ event: 'sign_in_failure_not_recorded', err: error }, 'failed to record a sign-in failure'))
}

type Failure = SignInFailureRow & { readonly username: string | null }

/** Newest first, optionally of one account. */
export const listSignInFailures = async (db: Db, query: QueryOf<typeof api.audit.signInFailures>) => {
  const { user_id } = query
  const { rows: failures, total } = await selectPage<Failure>(
    db,
    {
      columns: 'f.id, f.user_id, u.username, f.network, f.created_at',
      tables: 'sign_in_failures f',
      joins: 'left join users u on u.id = f.user_id',
      where: (p) => (user_id === undefined ? 'f.id > 0' : `f.user_id = ${p(user_id)}`),
      order: 'f.id desc',
    },
    pageOf(query),
  )
  return { failures, pagination: pagination(total, query.page, query.per_page) }
}
