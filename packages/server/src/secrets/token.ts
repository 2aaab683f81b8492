import { hash, randomBytes } from 'node:crypto'

const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** A new token of 32 random bytes, 43 characters that are safe in an address: sessions, set-up, reset, unsubscribe. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** What is stored in its place, SHA-256 in hex: who reads the database cannot use it. */
export const hashToken = (token: string): string => hash('sha256', token)

/** Whether this could be a token at all; what could not needs no look into the database. */
export const isToken = (text: string): boolean => SHAPE.test(text)
