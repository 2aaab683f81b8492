import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error the package has no type declarations
import S3rver from 's3rver'

/** An S3 server with empty buckets of these names. */
export const startS3 = async (...names: readonly string[]) => {
  const directory = mkdtempSync(join(tmpdir(), 's3-'))
  const server: { run(): Promise<AddressInfo>; close(): Promise<void> } = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: names.map((name) => ({ name })),
  })
  const { port } = await server.run()
  return {
    url: (bucket: string) => `http://127.0.0.1:${port}/${bucket}`,
    keys: { LYCEUM_S3_ACCESS_KEY: 'S3RVER', LYCEUM_S3_SECRET_KEY: 'S3RVER' },
    /** Keys of the objects in a bucket. */
    objects: (bucket: string): string[] =>
      readdirSync(join(directory, bucket), { recursive: true })
        .map(String)
        .flatMap((name) => /^(.*)\._S3rver_object$/.exec(name)?.[1] ?? [])
        .sort(),
    close: async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
