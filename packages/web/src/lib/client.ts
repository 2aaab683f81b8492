import { createClient } from '@lyceum/sdk'

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

/** The API, as whoever is signed in in this browser. The header keeps the server from making the browser ask for a password of its own. */
export const client = createClient({ baseUrl: apiRoot, nonce: currentNonce, headers: { 'x-requested-with': 'XMLHttpRequest' } })
