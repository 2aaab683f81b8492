import type { Up } from './dialect.ts'

/** The language in which a member gets mail; empty for that of the community. */
export const languages: Up = ({ text }) => [`alter table users add column lang ${text} not null default ''`]
