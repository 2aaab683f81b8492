import { createClient } from '@lyceum/sdk'
import { staysWith } from './account-data.ts'

let nonce: string | null = null

/** Remembers the nonce of the session, which every change sends along. */
export const rememberNonce = (value: string | null): void => {
  nonce = value
}

/** What changes have to carry. */
export const currentNonce = (): string | null => nonce

const root = document.querySelector<HTMLMetaElement>('meta[name="api-root"]')?.content ?? '/api/v2'

/** Where the API is. */
export const apiRoot = new URL(root, location.origin).href

const isStale = async (response: Response): Promise<boolean> =>
  response.status === 403 && ((await response.clone().json()) as { readonly code?: string }).code === 'rest_cookie_invalid_nonce'

/**
 * Sends a request again with the nonce of the present session, where the account of this page has signed in again in another tab: what was being
 * written need not be lost. Nothing is sent in the name of another account.
 */
export const renewing =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (!(await isStale(response))) return response
    const session = await client.auth.session()
    if (!session.user || !staysWith(session.user.user_id)) return response
    rememberNonce(session.nonce)
    return send(input, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-lyceum-nonce': session.nonce ?? '' } })
  }

/** The API, as whoever is signed in in this browser. The header keeps the server from making the browser ask for a password of its own. */
export const client = createClient({
  baseUrl: apiRoot,
  nonce: currentNonce,
  headers: { 'x-requested-with': 'XMLHttpRequest' },
  fetch: renewing((input, init) => fetch(input, init)),
})
