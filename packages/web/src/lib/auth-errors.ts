import { LyceumError } from '@lyceum/sdk'

/** The GIF search also responds with 401 when the provider rejects the community's API key. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof LyceumError && error.status === 401 && error.code !== 'invalid_api_key'
