import { deriveKeys, scopeOf } from '../../../../server/src/secrets/keys.ts'

/** Why a backup was made. */
export type BackupKind = 'scheduled' | 'before-upgrade'

const FORM = /^lyceum-([0-9a-f]{8})-(before-upgrade-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup(\.age)?$/

/** Identifies the backups of a community, so that several communities can share a place. */
export const communityMark = (secret: Buffer): string => scopeOf(deriveKeys(secret)).slice(0, 8)

export const backupName = (mark: string, kind: BackupKind, now: string, encrypted: boolean): string =>
  `lyceum-${mark}-${kind === 'scheduled' ? '' : `${kind}-`}${now.replaceAll(/[-:]/g, '').replace(' ', 'T')}Z.backup${encrypted ? '.age' : ''}`

interface NamedBackup {
  readonly mark: string
  readonly kind: BackupKind
  readonly createdAt: string
  readonly isEncrypted: boolean
}

/** Parses the name of a backup; null for other files. */
export const parseBackupName = (name: string): NamedBackup | null => {
  const [, mark = '', kind, year, month, day, hour, minute, second, age] = FORM.exec(name) ?? []
  if (!mark) return null
  return {
    mark,
    kind: kind ? 'before-upgrade' : 'scheduled',
    createdAt: `${year}-${month}-${day} ${hour}:${minute}:${second}`,
    isEncrypted: age !== undefined,
  }
}
