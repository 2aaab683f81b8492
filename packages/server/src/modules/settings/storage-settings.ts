import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { api, BodyOf } from '@lyceum/contract'
import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'

type Given = NonNullable<BodyOf<typeof api.settingsPages.testStorage>['config']>

/** Shows just enough of a secret to recognize it. */
const masked = (secret: string) => (secret.length > 8 ? `${'*'.repeat(8)}${secret.slice(-4)}` : '*'.repeat(secret.length))

/** The storage configured by environment variables, with secrets masked. */
export const storageConfig = ({ config }: Pick<Services, 'config'>) => {
  const { s3Url, s3Region, s3AccessKey, s3SecretKey } = config
  if (!s3Url) return { driver: 'local' as const, bucket: '', endpoint_url: '', region: '', access_key: '', secret_key: '' }
  const url = new URL(s3Url)
  return {
    driver: 's3' as const,
    bucket: url.pathname.replace(/^\/+|\/+$/g, ''),
    endpoint_url: url.origin,
    region: s3Region,
    access_key: masked(s3AccessKey),
    secret_key: s3SecretKey === '' ? '' : '*'.repeat(12),
  }
}

/** The storage configuration is read-only; the values as shown are accepted. @throws invalid_data */
export const checkUnchanged = (services: Pick<Services, 'config'>, given: Given = {}): void => {
  const present: Readonly<Record<string, unknown>> = storageConfig(services)
  const wrong = Object.entries(given).filter(([name, value]) => value !== present[name])
  if (wrong.length === 0) return
  const text = 'is set by the environment of the server (LYCEUM_S3_URL and related variables)'
  throw new ApiError('invalid_data', {
    message: 'The storage is configured on the server and cannot be changed here.',
    data: { errors: Object.fromEntries(wrong.map(([name]) => [`config.${name}`, text])) },
  })
}

/** Writes, checks and deletes a test file. @throws service_unavailable, storage_full */
export const testStorage = async ({ storage, log }: Pick<Services, 'storage' | 'log'>): Promise<void> => {
  const name = randomBytes(16).toString('hex')
  const file = join(tmpdir(), `lyceum-${name}`)
  const path = `${name.slice(0, 2)}/${name}.txt`
  try {
    await writeFile(file, name)
    await storage.current.put(path, file, 'text/plain')
    if (!(await storage.current.has(path))) throw new Error('the stored file was not found')
    await storage.current.remove(path)
  } catch (error) {
    log.warn({ event: 'storage_test_failed', err: error }, 'storage test failed')
    const full = (error as { full?: boolean }).full === true
    throw new ApiError(full ? 'storage_full' : 'service_unavailable', { message: 'Files cannot be stored at the moment.' })
  } finally {
    await rm(file, { force: true })
  }
}
