import { createClient } from '@lyceum/sdk'
import { isCurrentAccount } from './account-data.ts'

let nonce: string | null = null

/** Stores the CSRF nonce of the session, which is sent with every write request. */
export const rememberNonce = (value: string | null): void => {
  nonce = value
}

export const currentNonce = (): string | null => nonce

const root = document.querySelector<HTMLMetaElement>('meta[name="api-root"]')?.content ?? '/api/v2'

/** Base URL of the API. */
export const apiRoot = new URL(root, location.origin).href

const isStale = async (response: Response): Promise<boolean> =>
  response.status === 403 && ((await response.clone().json()) as { readonly code?: string }).code === 'rest_cookie_invalid_nonce'

/**
 * Retries a request with a new nonce if the same account has signed in again in another tab, so that form input is not lost. Never sends a
 * request on behalf of another account.
 */
export const withNonceRenewal =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (!(await isStale(response))) return response
    const session = await client.auth.session()
    if (!session.user || !isCurrentAccount(session.user.user_id)) return response
    rememberNonce(session.nonce)
    return send(input, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-lyceum-nonce': session.nonce ?? '' } })
  }

/** API client of the current session. The header keeps the server from triggering the browser's basic authentication dialog. */
export const client = createClient({
  baseUrl: apiRoot,
  nonce: currentNonce,
  headers: { 'x-requested-with': 'XMLHttpRequest' },
  fetch: withNonceRenewal((input, init) => fetch(input, init)),
})
