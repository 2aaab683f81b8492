import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Versions {
  readonly latest: string
  /** The newest first. */
  readonly versions: readonly string[]
}

const START = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Lyceum documentation</title>
<meta http-equiv="refresh" content="0; url=latest/index.html">
<p><a href="latest/index.html">Lyceum documentation</a></p>
</html>
`

/** `0.1` for 0.1.3: patches replace the documentation of their version. */
export const versionOf = (release: string): string => release.split('.', 2).join('.')

const isNewer = (a: string, b: string): number => {
  const [[majorA = 0, minorA = 0], [majorB = 0, minorB = 0]] = [a.split('.').map(Number), b.split('.').map(Number)]
  return majorB - majorA || minorB - minorA
}

/** Lists a version in `versions.json` of a site that may have others. `latest` becomes a copy of the newest. */
export const addVersion = (site: string, version: string): Versions => {
  const file = join(site, 'versions.json')
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Versions).versions : []
  const versions = [...new Set([version, ...before])].sort(isNewer)
  const list: Versions = { latest: versions[0] ?? version, versions }
  writeFileSync(file, `${JSON.stringify(list)}\n`)
  writeFileSync(join(site, 'index.html'), START)
  if (list.latest === version) {
    rmSync(join(site, 'latest'), { recursive: true, force: true })
    cpSync(join(site, version), join(site, 'latest'), { recursive: true })
  }
  return list
}
