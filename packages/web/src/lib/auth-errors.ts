import { LyceumError } from '@lyceum/sdk'

/** A provider of GIFs that refuses the community's key is answered 401 as well. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof LyceumError && error.status === 401 && error.code !== 'invalid_api_key'
