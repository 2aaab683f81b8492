import type { Rules } from './lockfile.ts'

export const RULES: Rules = {
  registry: 'https://registry.npmjs.org/',
  installScripts: {},
  mostDirect: 40,
}

/** Test dependencies with known, accepted vulnerabilities. None of them runs on a server. */
export const ACCEPTED: Readonly<Record<string, string>> = {
  s3rver: 'a store on loopback that gets the requests of our own tests, and nothing else',
}
