/** Supported password hashes: phpass, WordPress 6.8 and bcrypt. */
const SUPPORTED = [/^\$[PH]\$[./0-9A-Za-z]{31}$/, /^\$wp\$2y\$\d\d\$[./0-9A-Za-z]{53}$/, /^\$2[aby]\$\d\d\$[./0-9A-Za-z]{53}$/]

export interface Password {
  /** The hash in archive format; null if it can never match. */
  readonly hash: string | null
  readonly problem: string | null
}

export const passwordOf = (stored: string | null): Password => {
  const text = stored?.trim() ?? ''
  if (SUPPORTED.some((format) => format.test(text))) return { hash: text, problem: null }
  if (/^[0-9a-f]{32}$/i.test(text)) return { hash: `md5:${text.toLowerCase()}`, problem: null }
  return { hash: null, problem: text === '' ? null : 'its password hash has an unknown format: the member must reset the password' }
}
