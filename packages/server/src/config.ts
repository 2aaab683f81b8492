import { resolve } from 'node:path'
import { MESSAGE_BYTES, MESSAGE_BYTES_RANGE } from '@lyceum/contract'
import { addressMatcher } from './outbound/ip-ranges.ts'

/** One environment variable: its parser, its description, and whether `lyceum config` must mask it. */
interface Variable<T> {
  readonly name: string
  /** Its deprecated name, which still works. */
  readonly formerly?: string
  /** Empty by default. */
  readonly fallback?: string
  readonly meaning: string
  readonly secret?: true
  readonly read: (text: string) => T
}

const text = (value: string) => value.trim()
const longKey = (value: string) => {
  const key = value.trim()
  if (key !== '' && key.length < 32) throw new Error('must have at least 32 characters')
  return key
}
const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
const number =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const parsed = Number(value)
    if (!Number.isInteger(parsed) || parsed < minimum || parsed > maximum)
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
    return parsed
  }
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
/** In seconds. */
const duration =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(value.trim()) ?? []
    const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN)
    if (!(seconds >= minimum && seconds <= maximum))
      throw new Error(`must be a number with s, m, h or d such as 90s or 1d, from ${minimum}s to ${maximum / 86_400}d`)
    return seconds
  }
const choice =
  <const C extends readonly string[]>(...choices: C) =>
  (value: string): C[number] => {
    if (!choices.includes(value)) throw new Error(`must be one of ${choices.join(', ')}`)
    return value
  }
const apiRoot = (value: string) => {
  const path = value.replace(/\/+$/, '')
  if (!/^(\/[a-z0-9._~-]+)*\/v2$/i.test(path)) throw new Error('must be a path that ends in /v2')
  return path
}
const httpUrl = (value: string): URL => {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an http(s) address such as https://community.example')
  return url
}
const origin = (value: string) => {
  if (!value) return ''
  const url = httpUrl(value)
  if (url.pathname !== '/') throw new Error(`must have no path; set LYCEUM_BASE_PATH=${url.pathname.replace(/\/+$/, '')} for it`)
  return url.origin
}
const webAddress = (value: string) => {
  if (value) httpUrl(value)
  return value.trim()
}
const share = (value: string) => {
  const part = Number(value)
  if (!(part >= 0 && part <= 1)) throw new Error('must be a number from 0 to 1')
  return part
}
const basePath = (value: string) => {
  const path = value.trim().replace(/\/+$/, '')
  if (!/^(\/[a-z0-9._~-]+)*$/i.test(path) || /^\/(api|media)(\/|$)|\/\.{1,2}(\/|$)/.test(path))
    throw new Error('must be a path such as /community')
  return path
}
/** Checked, because a mistyped scheme would be taken for a file name. */
export const databaseAddress = (value: string) => {
  const address = value.trim()
  if (/^[a-z][a-z0-9+.-]+:/i.test(address) && !/^(postgres(ql)?:\/\/|sqlite:|file:)/.test(address))
    throw new Error('must be postgres://… or a path of a file, or empty')
  return address
}
const addressWith =
  (schemes: RegExp, what: string) =>
  (value: string): string => {
    const address = value.trim()
    if (address !== '' && !(schemes.test(address) && URL.canParse(address))) throw new Error(`must be ${what}, or empty`)
    return address
  }
const postgres = addressWith(/^postgres(ql)?:\/\//, 'postgres://…')
const bucket = (value: string) => {
  const address = value.trim().replace(/\/+$/, '')
  if (!address) return ''
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname === '/' || url.search || url.username)
    throw new Error('must be an http(s) address with the bucket as its path such as https://s3.example/bucket')
  return address
}
/** Parsed at startup, so that a mistake is not only noticed when the value is first used. */
const ranges =
  (...names: readonly string[]) =>
  (value: string): string[] => {
    const all = list(value)
    try {
      addressMatcher(all.filter((range) => !names.includes(range)))
    } catch (error) {
      throw new Error(`cannot be read: ${(error as Error).message}`)
    }
    return all
  }
/** Fastify also accepts these names of ranges. */
const proxies = ranges('loopback', 'linklocal', 'uniquelocal')
const trustProxy = (value: string): boolean | string[] => (value === 'off' || value === '' ? false : value === 'on' ? true : proxies(value))

const lowerCaseList = (value: string) => list(value.toLowerCase())
const listOf =
  (form: RegExp, what: string, read = list) =>
  (value: string): string[] => {
    const all = read(value)
    const wrong = all.find((one) => !form.test(one))
    if (wrong !== undefined) throw new Error(`must be ${what}, not ${wrong}`)
    return all
  }
const contacts = listOf(/^(?:mailto:[^\s@]+@[^\s@]+|tel:[+\d-]+|https:\/\/\S+)$/, 'mailto:, tel: or https: addresses')
const pictureHosts = listOf(
  /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/,
  'hosts such as cdn.example or *.cdn.example',
  lowerCaseList,
)

const corsOrigins = (value: string): string[] => {
  const all = list(value)
  const wrong = all.find((one) => one !== '*' && !(URL.canParse(one) && /^https?:/.test(one) && new URL(one).origin === one))
  if (wrong !== undefined) throw new Error(`must be origins such as https://app.example, or *, not ${wrong}`)
  if (all.includes('*') && all.length > 1) throw new Error('must be either origins or *')
  return all
}

const VARIABLES = {
  host: { name: 'LYCEUM_HOST', fallback: '127.0.0.1', meaning: 'Address to listen on', read: text },
  port: { name: 'LYCEUM_PORT', fallback: '3000', meaning: 'Port to listen on; 0 picks a free one', read: number(0, 65_535) },
  url: { name: 'LYCEUM_URL', meaning: 'Public origin, as users reach it; empty: the address listened on', read: origin },
  basePath: {
    name: 'LYCEUM_BASE_PATH',
    meaning: 'Path below which the community is reached, such as /community; the proxy may keep it or cut it off; empty: the whole host',
    read: basePath,
  },
  hosts: {
    name: 'LYCEUM_HOSTS',
    meaning: 'Further accepted host names, comma-separated, if LYCEUM_URL is set; IP addresses and names without a dot are always accepted',
    read: lowerCaseList,
  },
  apiRoot: { name: 'LYCEUM_API_ROOT', fallback: '/api/v2', meaning: 'Path of the API; ends in /v2', read: apiRoot },
  apiAliases: {
    name: 'LYCEUM_API_ALIASES',
    meaning: 'Further paths of the same API, comma-separated',
    read: (value: string) => list(value).map(apiRoot),
  },
  compat: {
    name: 'LYCEUM_COMPAT',
    fallback: 'off',
    meaning: 'fluentcommunity: also serve clients of FluentCommunity, at /wp-json/fluent-community/v2',
    read: choice('off', 'fluentcommunity'),
  },
  corsOrigins: {
    name: 'LYCEUM_CORS_ORIGINS',
    meaning: 'Origins whose pages may use the API and its files from browsers, without cookies, comma-separated; *: any; empty: none',
    read: corsOrigins,
  },
  dataDir: {
    name: 'LYCEUM_DATA_DIR',
    fallback: './data',
    meaning: 'Directory of the database file, media, mail outbox and secret',
    read: (value: string) => resolve(value),
  },
  databaseUrl: {
    name: 'LYCEUM_DATABASE_URL',
    meaning: 'postgres://… for PostgreSQL; empty: a SQLite file in the data directory',
    secret: true,
    read: databaseAddress,
  },
  databasePool: {
    name: 'LYCEUM_DATABASE_POOL',
    fallback: '10',
    meaning: 'Maximum number of connections of this process to PostgreSQL, and to each replica',
    read: number(2, 500),
  },
  databasePooler: {
    name: 'LYCEUM_DATABASE_POOLER',
    fallback: 'off',
    meaning: 'transaction: the URL is that of a pooler in transaction mode; prepared: of one that supports prepared statements',
    read: choice('off', 'transaction', 'prepared'),
  },
  databaseDirectUrl: {
    name: 'LYCEUM_DATABASE_DIRECT_URL',
    meaning: 'postgres://… that bypasses the pooler, for commands, migrations and whatever needs a session of its own',
    secret: true,
    read: postgres,
  },
  databaseReplicaUrls: {
    name: 'LYCEUM_DATABASE_REPLICA_URLS',
    meaning: 'postgres://… of standbys that serve reads, comma-separated',
    secret: true,
    read: (value: string) => list(value).map(postgres),
  },
  redisUrl: {
    name: 'LYCEUM_REDIS_URL',
    meaning: 'redis://…, shared by several instances; empty: none',
    secret: true,
    read: addressWith(/^rediss?:\/\//, 'redis://… or rediss://…'),
  },
  trustProxy: {
    name: 'LYCEUM_TRUST_PROXY',
    fallback: 'off',
    meaning: 'Addresses or ranges of trusted proxies, whose forwarding headers are used, comma-separated; on: any; off: none',
    read: trustProxy,
  },
  smtpUrl: {
    name: 'LYCEUM_SMTP_URL',
    meaning: 'smtp(s)://…; empty: mail is written to the outbox directory',
    secret: true,
    read: addressWith(/^smtps?:\/\//, 'smtp://… or smtps://…'),
  },
  mailFrom: { name: 'LYCEUM_MAIL_FROM', fallback: 'Lyceum <lyceum@localhost>', meaning: 'Sender of mail', read: text },
  securityContact: {
    name: 'LYCEUM_SECURITY_CONTACT',
    meaning: 'Contacts for vulnerability reports, for /.well-known/security.txt: mailto:, tel: or https: addresses, comma-separated',
    read: contacts,
  },
  outboundAllow: {
    name: 'LYCEUM_OUTBOUND_ALLOW',
    meaning: 'CIDR ranges that webhooks, chat notices and link previews may reach besides public https addresses, comma-separated',
    read: ranges(),
  },
  secret: {
    name: 'LYCEUM_SECRET',
    meaning: 'Key material, 32 characters or more; empty: generated on first start and stored in the data directory',
    secret: true,
    read: longKey,
  },
  backupKey: {
    name: 'LYCEUM_BACKUP_KEY',
    meaning: 'Signs backups and verifies them on restore, 32 characters or more; empty: backups are not signed',
    secret: true,
    read: longKey,
  },
  backupDir: {
    name: 'LYCEUM_BACKUP_DIR',
    meaning: 'Directory for scheduled backups; empty: none',
    read: (value: string) => value.trim() && resolve(value.trim()),
  },
  backupS3Url: { name: 'LYCEUM_BACKUP_S3_URL', meaning: 'The same in an S3-compatible storage: https://s3.example/bucket', read: bucket },
  backupS3Region: { name: 'LYCEUM_BACKUP_S3_REGION', meaning: 'Its region; empty: LYCEUM_S3_REGION', read: text },
  backupS3AccessKey: {
    name: 'LYCEUM_BACKUP_S3_ACCESS_KEY',
    meaning: 'Its access key; empty: LYCEUM_S3_ACCESS_KEY',
    secret: true,
    read: text,
  },
  backupS3SecretKey: {
    name: 'LYCEUM_BACKUP_S3_SECRET_KEY',
    meaning: 'Its secret key; empty: LYCEUM_S3_SECRET_KEY',
    secret: true,
    read: text,
  },
  backupEvery: { name: 'LYCEUM_BACKUP_EVERY', fallback: '1d', meaning: 'Interval of scheduled backups', read: duration(5, 366 * 86_400) },
  backupKeep: { name: 'LYCEUM_BACKUP_KEEP', fallback: '7', meaning: 'Number of scheduled backups to keep', read: number(1, 100_000) },
  backupProve: {
    name: 'LYCEUM_BACKUP_PROVE',
    fallback: 'on',
    meaning: 'Whether scheduled backups are restored for a test: on, off; always: also more than once a day if they are frequent',
    read: choice('on', 'off', 'always'),
  },
  backupPassphrase: { name: 'LYCEUM_BACKUP_PASSPHRASE', meaning: 'Encrypts and decrypts backups', secret: true, read: text },
  backupAgeRecipients: {
    name: 'LYCEUM_BACKUP_AGE_RECIPIENTS',
    meaning: 'Encrypts backups for these age recipients (age1…), comma-separated',
    read: listOf(/^age1[0-9a-z]{20,3000}$/, 'recipients of age such as age1…', lowerCaseList),
  },
  backupBeforeUpgrade: {
    name: 'LYCEUM_BACKUP_BEFORE_UPGRADE',
    fallback: 'on',
    meaning: 'off: no backup before a migration',
    read: choice('on', 'off'),
  },
  metricsToken: {
    name: 'LYCEUM_METRICS_TOKEN',
    meaning: 'Bearer token for /metrics, 32 characters or more; empty: requests from this machine only, and none if LYCEUM_URL is public',
    secret: true,
    read: longKey,
  },
  logLevel: {
    name: 'LYCEUM_LOG_LEVEL',
    fallback: 'info',
    meaning: 'trace, debug, info, warn, error, fatal or silent',
    read: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  },
  logFormat: {
    name: 'LYCEUM_LOG_FORMAT',
    fallback: 'auto',
    meaning: 'json, pretty (for people), or auto: pretty if standard error is a terminal',
    read: choice('auto', 'pretty', 'json'),
  },
  tracesUrl: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'URL of an OpenTelemetry collector (OTLP over HTTP) that gets traces; empty: none',
    read: webAddress,
  },
  tracesService: { name: 'OTEL_SERVICE_NAME', fallback: 'lyceum', meaning: 'Name of this server in traces', read: text },
  tracesRatio: { name: 'OTEL_TRACES_SAMPLER_ARG', fallback: '1', meaning: 'Part of the requests to trace, 0 to 1', read: share },
  rateLimit: {
    name: 'LYCEUM_RATE_LIMIT',
    fallback: 'on',
    meaning: 'off: no rate limits, for a gateway that limits requests itself, or for benchmarks',
    read: choice('on', 'off'),
  },
  maxQueuedRequests: {
    name: 'LYCEUM_MAX_QUEUED_REQUESTS',
    formerly: 'LYCEUM_MOST_WAITING',
    fallback: '1000',
    meaning: 'Maximum number of queued requests; further requests get 503 immediately',
    read: number(10, 1_000_000),
  },
  responseBufferMegabytes: {
    name: 'LYCEUM_RESPONSE_BUFFER_MB',
    formerly: 'LYCEUM_UNSENT_MB',
    fallback: '48',
    meaning: 'Maximum memory for responses that clients have not read, in MiB; above it, large responses are refused with 503',
    read: number(1, 65_536),
  },
  responseBufferMemberMegabytes: {
    name: 'LYCEUM_RESPONSE_BUFFER_MEMBER_MB',
    formerly: 'LYCEUM_UNSENT_MEMBER_MB',
    fallback: '16',
    meaning: 'The same for one member, or for one address without sign-in, in MiB',
    read: number(1, 65_536),
  },
  drainSeconds: {
    name: 'LYCEUM_DRAIN_SECONDS',
    fallback: '0',
    meaning: 'How long to keep serving requests after a stop signal, while reporting not ready, so that load balancers can drain',
    read: number(0, 300),
  },
  cacheMegabytes: {
    name: 'LYCEUM_CACHE_MB',
    fallback: '64',
    meaning: 'Maximum memory for caches, in MiB; 0: no caching',
    read: number(0, 65_536),
  },
  allowUnsafeDatabase: {
    name: 'LYCEUM_DATABASE_ALLOW_UNSAFE',
    fallback: 'off',
    meaning: 'on: start even if PostgreSQL runs with fsync or synchronous_commit off',
    read: choice('on', 'off'),
  },
  messageLimit: {
    name: 'LYCEUM_MESSAGE_MAX_BYTES',
    fallback: String(MESSAGE_BYTES),
    meaning: 'Maximum length of a post, in bytes',
    read: number(...MESSAGE_BYTES_RANGE),
  },
  mediaLimit: {
    name: 'LYCEUM_MEDIA_MAX_BYTES',
    fallback: String(10 * 1024 * 1024),
    meaning: 'Largest file that can be uploaded, in bytes',
    read: number(1024, 1024 ** 3),
  },
  mediaHosts: {
    name: 'LYCEUM_MEDIA_HOSTS',
    meaning:
      'Hosts whose pictures and videos browsers load directly, comma-separated, such as cdn.example or *.cdn.example; others are proxied by the server',
    read: pictureHosts,
  },
  minFreeDisk: {
    name: 'LYCEUM_MIN_FREE_DISK_MB',
    fallback: '500',
    meaning: 'Uploads are refused while the disk of the data directory has less free space than this, in MiB; 0: never',
    read: number(0, 1_000_000_000),
  },
  s3Url: {
    name: 'LYCEUM_S3_URL',
    meaning:
      'URL of an S3-compatible storage with the bucket as its path: https://s3.example/bucket; empty: media are stored in the data directory',
    read: bucket,
  },
  s3Region: { name: 'LYCEUM_S3_REGION', fallback: 'us-east-1', meaning: 'Region of that storage', read: text },
  s3AccessKey: { name: 'LYCEUM_S3_ACCESS_KEY', meaning: 'Access key of that storage', secret: true, read: text },
  s3SecretKey: { name: 'LYCEUM_S3_SECRET_KEY', meaning: 'Secret key of that storage', secret: true, read: text },
  gifApiUrl: {
    name: 'LYCEUM_GIF_API_URL',
    meaning: 'URL of the GIF provider; searches go to {url}/search',
    read: addressWith(/^https?:\/\//, 'an http(s) address'),
  },
  gifHourlyBudget: {
    name: 'LYCEUM_GIF_HOURLY_BUDGET',
    fallback: '42',
    meaning: 'Maximum requests per hour to the GIF provider; 0: unlimited',
    read: number(0, 1_000_000),
  },
} as const satisfies Record<string, Variable<unknown>>

type Variables = typeof VARIABLES
export type Config = { readonly [K in keyof Variables]: ReturnType<Variables[K]['read']> }

/** Names the variable itself. */
class VariableError extends Error {}

export class ConfigError extends Error {
  override name = 'ConfigError'
}

const EVERY: readonly (readonly [key: string, variable: Variable<unknown>])[] = Object.entries(VARIABLES)

/** The value of a variable, by its current or its deprecated name. @throws if both are set and differ */
const settingOf = (
  env: NodeJS.ProcessEnv,
  { name, formerly }: Variable<unknown>,
  readFile: (path: string) => string,
): string | undefined => {
  const read = (one: string) => {
    const file = env[`${one}_FILE`]
    if (!file) return env[one]
    try {
      return readFile(file).trim()
    } catch (error) {
      throw new VariableError(`${one}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  const value = read(name)
  const former = formerly === undefined ? undefined : read(formerly)
  if (value !== undefined && former !== undefined && value !== former)
    throw new Error(`and its deprecated name ${formerly} have different values; remove ${formerly}`)
  return value ?? former
}

/**
 * Parses the environment; no other code reads it. For each variable, NAME_FILE may name a file with the value.
 * @throws ConfigError naming every invalid variable
 */
export const readConfig = (env: NodeJS.ProcessEnv = process.env, readFile: (path: string) => string = () => ''): Config => {
  const problems: string[] = []
  const config: Record<string, unknown> = {}
  for (const [key, variable] of EVERY) {
    try {
      config[key] = variable.read(settingOf(env, variable, readFile) ?? variable.fallback ?? '')
    } catch (error) {
      const { message } = error as Error
      problems.push(error instanceof VariableError ? message : `${variable.name} ${message}`)
    }
  }
  const { s3Url, s3AccessKey, s3SecretKey, backupDir, backupS3Url } = config
  for (const key of ['databaseDirectUrl', 'databaseReplicaUrls'] as const)
    if (`${config[key]}` && !/^postgres(ql)?:/.test(`${config['databaseUrl']}`))
      problems.push(`${VARIABLES[key].name} needs a postgres://… in LYCEUM_DATABASE_URL`)
  if (backupDir && backupS3Url) problems.push('LYCEUM_BACKUP_DIR and LYCEUM_BACKUP_S3_URL are both set; backups go to one place')
  if (backupS3Url && !((config['backupS3AccessKey'] || s3AccessKey) && (config['backupS3SecretKey'] || s3SecretKey)))
    problems.push('LYCEUM_BACKUP_S3_URL needs LYCEUM_BACKUP_S3_ACCESS_KEY and LYCEUM_BACKUP_S3_SECRET_KEY')
  if (s3Url && (s3AccessKey === '' || s3SecretKey === ''))
    problems.push('LYCEUM_S3_URL needs LYCEUM_S3_ACCESS_KEY and LYCEUM_S3_SECRET_KEY')
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config as Config
}

/** Unknown variables that start with LYCEUM_: most likely misspelt. */
export const unknownVariables = (env: NodeJS.ProcessEnv = process.env): string[] => {
  const known = new Set(EVERY.flatMap(([, { name, formerly = name }]) => [name, formerly].flatMap((one) => [one, `${one}_FILE`])))
  return Object.keys(env).filter((name) => name.startsWith('LYCEUM_') && !known.has(name) && !/^LYCEUM_(TEST|BENCH|ACCEPTANCE)_/.test(name))
}

/** Variables set by their deprecated name, with the name to use instead. */
export const deprecatedVariables = (env: NodeJS.ProcessEnv = process.env) =>
  EVERY.flatMap(([, { name, formerly }]) =>
    formerly !== undefined && (env[formerly] !== undefined || env[`${formerly}_FILE`] !== undefined) ? [{ former: formerly, name }] : [],
  )

/** Every variable with its default, meaning and current value; secrets are masked. */
export const describeConfig = (env: NodeJS.ProcessEnv = process.env) =>
  EVERY.map(([, { name, formerly, fallback = '', meaning, secret }]) => {
    const shown = (one: string) => (env[`${one}_FILE`] ? '(from file)' : env[one])
    const set = shown(name) ?? (formerly === undefined ? undefined : shown(formerly))
    return { name, default: fallback, value: set === undefined ? fallback : secret && set ? '********' : set, meaning }
  })

const INHERITED = /^(?:PATH|HOME|TMPDIR|TMP|TEMP|SystemRoot|windir|TZ|LANG|LC_\w+|LD_\w+|DYLD_\w+|MALLOC_\w+|VIPS_\w+)$/i

/** The environment of child processes that handle untrusted files; omits the server's variables, which may be secrets. */
export const childEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => INHERITED.test(name)))
