import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Versions = Readonly<Record<string, string>>

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly homepage: string
  readonly repository: { readonly type: string; readonly url: string }
  readonly bugs: { readonly url: string }
  readonly optionalDependencies?: Versions
}

export const readManifest = (root: string, folder = ''): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/** Fields that the manifests of the published packages have in common. `folder` is the folder of the sources in the repository. */
export const commonFields = (root: string, folder: string) => {
  const { version, license, homepage, repository, bugs } = readManifest(root)
  return {
    version,
    license,
    homepage,
    repository: { ...repository, directory: folder },
    bugs,
    type: 'module',
    publishConfig: { access: 'public', provenance: true },
  }
}
