import { hash, randomBytes } from 'node:crypto'

const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** A new token of 32 random bytes as 43 URL-safe characters: sessions, setup, reset, unsubscribe. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** The stored form of a token, SHA-256 in hex, so that read access to the database does not reveal tokens. */
export const hashToken = (token: string): string => hash('sha256', token)

/** Whether this has the form of a token. If not, no query is needed. */
export const isToken = (text: string): boolean => SHAPE.test(text)
